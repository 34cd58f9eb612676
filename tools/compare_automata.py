#!/usr/bin/env python3
"""Parley's automata against Spin's: the specification patterns and random formulas, states and words.

    tools/compare_automata.py --probe build/tests/automata_probe

For each formula `spin -f` prints a never claim. Its states are counted (a state may have several labels) and compared with those of
our Büchi automaton with accepting states; it is interpreted on random words and compared with our automaton and with the evaluator.
Formulas have no Next: `spin` as it is packaged does not read X. Formulas on which Spin does not end in time are left out and counted.
The last line is for machines.
"""
import argparse
import itertools
import re
import resource
import signal
import subprocess
import sys

CONDITION = re.compile(r"::\s*(?:atomic\s*\{\s*)?(\(.*?\))\s*->\s*(?:goto\s+(\w+)|assert\(.*)$")


class Claim:
    """States in order; each has edges (set of letters, target) and may accept."""

    def __init__(self, text, propositions):
        self.propositions = propositions
        self.accepting, self.edges, self.number = [], [], {}
        in_labels = False
        for line in (line.strip() for line in text.splitlines()[1:]):
            label = re.fullmatch(r"(\w+):", line)
            if label:
                if not in_labels:
                    self.accepting.append(False)
                    self.edges.append([])
                in_labels = True
                self.accepting[-1] |= label[1].startswith("accept")
                self.number[label[1]] = len(self.edges) - 1
                continue
            in_labels = False
            if line == "skip":
                self.edges[-1].append((self.letters("1"), "accept_all"))
            elif line.startswith("::"):
                edge = CONDITION.fullmatch(line)
                if line == ":: false":
                    continue
                if not edge:
                    raise ValueError(f"not understood: {line}")
                self.edges[-1].append((self.letters(edge[1]), edge[2] or "accept_all"))
            elif line not in ("do", "od;", "if", "fi;", "}", "", "false;", "false"):
                raise ValueError(f"not understood: {line}")

    def letters(self, condition):
        """The letters that a condition of the claim admits; `p1` is bit 1."""
        python = re.sub(r"!(?!=)", " not ", condition).replace("&&", " and ").replace("||", " or ").replace("false", "0")
        python = re.sub(r"\bp(\d+)\b", lambda m: f"((letter >> {m[1]}) & 1)", python)
        code = compile(python.strip(), "claim", "eval")
        return frozenset(letter for letter in range(1 << self.propositions) if eval(code, {"letter": letter}))

    def accepts(self, stem, loop):
        """Some accepting state before the same position of the loop is reached from itself."""
        word, size = stem + loop, len(stem) + len(loop)
        after = lambda position: position + 1 if position + 1 < size else len(stem)

        def reached(start):
            seen, todo = set(), list(start)
            while todo:
                state, position = todo.pop()
                for letters, target in self.edges[state]:
                    place = (self.number[target], after(position))
                    if word[position] in letters and place not in seen:
                        seen.add(place)
                        todo.append(place)
            return seen

        first = (0, 0)
        places = reached([first]) | {first}
        return any(self.accepting[place[0]] and place in reached([place]) for place in places)


def claim_of(formula, propositions, seconds):
    """None if Spin does not end in time: its own, so that it does not matter what else the machine does."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    made = subprocess.run(["spin", "-f", formula], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
    if made.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    if not made.stdout.startswith("never"):
        raise ValueError(f"spin -f {formula!r}: {made.stdout}")
    return Claim(made.stdout, propositions)


def numbers(text):
    return [int(number) for number in text.split(",") if number]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--probe", required=True, help="the program automata_probe")
    parser.add_argument("--count", type=int, default=1000, help="formulas that Spin translates in time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=2, help="of processor time for Spin, per formula")
    parser.add_argument("--larger", action="store_true", help="print the formulas where ours is larger")
    options = parser.parse_args()

    probe = subprocess.run([options.probe, str(options.count + options.count // 10), str(options.seed), str(options.words)], stdout=subprocess.PIPE,
                           text=True, check=True)
    ours = spins = generalised = compared = left_out = differences = larger = smaller = 0
    for line in probe.stdout.splitlines():
        if compared == options.count:
            break
        formula, sizes, words = line.split("\t")
        words = [word.split(";") for word in words.split(" ") if word]
        letters = itertools.chain.from_iterable(numbers(part) for word in words for part in word[:2])
        propositions = max([int(p) + 1 for p in re.findall(r"\bp(\d+)\b", formula)] + [max(letters, default=0).bit_length()])
        claim = claim_of(formula, propositions, options.seconds)
        if claim is None:
            left_out += 1
            continue
        compared += 1
        states, _, buchi_states, _ = (int(size) for size in sizes.split())
        generalised += states
        ours += buchi_states
        spins += len(claim.edges)
        larger += buchi_states > len(claim.edges)
        smaller += buchi_states < len(claim.edges)
        if options.larger and buchi_states > len(claim.edges):
            print(f"{buchi_states} states, Spin {len(claim.edges)}: {formula}")
        for stem, loop, truth, accepted in words:
            answers = {bool(int(truth)), bool(int(accepted)), claim.accepts(numbers(stem), numbers(loop))}
            if len(answers) != 1:
                differences += 1
                print(f"differ on stem {stem} loop {loop}: true {truth}, accepted {accepted}: {formula}")
    print(f"{compared} formulas: {ours} states with accepting states ({generalised} with marks on edges), Spin {spins}; "
          f"smaller for {smaller}, larger for {larger}; Spin did not end on {left_out}")
    print(f"summary: automata_states_ratio={ours / spins:.3f} formulas={compared} differences={differences}")
    return 1 if differences or ours > spins else 0


if __name__ == "__main__":
    sys.exit(main())

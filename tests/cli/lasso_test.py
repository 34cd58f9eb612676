#!/usr/bin/python3
"""Runs that go on for ever as a user meets them: stem and loop in every form of output, the truth of sub-formulas along the
run, and the automaton of a property."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

PARLEY = pathlib.Path(os.environ["PARLEY_BINARY_DIR"]) / "parley"
ROOT = pathlib.Path(os.environ["PARLEY_SOURCE_DIR"])

# The only run: x is 0, 1, and then 2, 3, 2, 3, … The states after steps 2 and 4 are the same, so the lasso of a formula
# that needs no memory is 2 + 2 steps.
ROUND = """byte x;
active proctype P() { x = 1; do :: x = 2; x = 3 od }
ltl five { <> (x == 5) }
ltl again { [] <> (x == 3) }
"""
# The only run: x becomes 1 and 2, and then nobody can move.
ENDS = """byte x;
active proctype P() { x = 1; x = 2; false }
ltl five { <> (x == 5) }
"""
# Whether `o` gets back to idle is up to the outside, which may send s for ever.
BUSY = """signal s, t;
class O { machine { initial -> idle; waiting state idle { on s -> busy; } waiting state busy { on t -> idle; on s; } } }
system { o : O; environment sends s to o when (len(o) == 0); environment sends t to o when (len(o) == 0); }
check G (o receives s -> F (o in idle));
"""
NEVER = """bit q;
active proctype P() { do :: q = 1 - q od }
never { wait: do :: q == 1 -> goto accept_seen :: else od; accept_seen: do :: true od }
"""


def run(*words):
    return subprocess.run([str(PARLEY), *map(str, words)], text=True, capture_output=True, timeout=300)


class Lasso(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return path

    def violated(self, model, *words):
        """The one property that is; run-time errors are looked for too."""
        found = [r for r in json.loads(run("check", model, "--format", "json", *words).stdout)["results"]
                 if r["verdict"] == "violated"]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_text_sets_stem_and_loop_apart(self):
        text = run("check", self.write("round.pml", ROUND), "--property", "ltl five").stdout
        self.assertRegex(text, r"violated  ltl five +temporal: \d+ states, 2 \+ 2 steps\n {12}\w")
        steps = text[text.index("violated: ltl five"):]
        lines = [line for line in steps[:steps.index("\n\n")].splitlines() if re.match(r"(\.--|'->|[| ] +\d+\. )", line)]
        self.assertEqual(lines, ["   1. P: x = 1", "   2. P: x = 2", ".-- steps 3 to 4 repeat for ever", "|  3. P: x = 3",
                                 "|  4. P: x = 2", "'-> back to step 3"])
        # The diagram has the same mark.
        self.assertRegex(steps, r"   2 +\*\n\.--\n\|  3 +\*\n\|  4 +\*\n'-> back to step 3\n")
        # By hand: x == 5 is never true, and so neither is F of it.
        self.assertIn("    position    0 1 2 | 3 4\n    x == 5      . . . | . .\n    F (x == 5)  . . . | . .\n", steps)

    def test_a_run_that_ends(self):
        text = run("check", self.write("ends.pml", ENDS), "--property", "ltl five").stdout
        self.assertRegex(text, r"violated  ltl five .*, 2 steps to the end\n {12}a run that ends is read as staying")
        self.assertIn("-- here the run ends: nothing changes any more --", text)
        self.assertIn("    position    0 1 2 | +\n    x == 5      . . . | .\n", text)
        self.assertNotIn("repeat", text)

    def test_finite_words_are_explained_as_such(self):
        # By hand: s is received in steps 3 and 4, the last ones, so that two steps later there is no position at all.
        model = self.write("finite.ply", BUSY[:BUSY.index("system")] + "system { o : O; environment sends s to o at most 2; }\n"
                           "check G (o receives s -> X X (o in busy));\n")
        text = run("check", model, "--finite-runs", "--property", "1").stdout
        self.assertIn("-- here the run ends --", text)
        self.assertRegex(text, r"after step \d o receives s, and after step \d there is no next step; the run ends after 4 steps")
        self.assertNotIn("the run goes on", text)
        truth = self.violated(model, "--finite-runs", "--property", "1")["truth"]
        self.assertEqual([truth["positions"], truth["loop_from"], truth["ends"]], [5, 5, True])
        rows = {row["text"]: row["at"] for row in truth["subformulas"]}
        self.assertEqual([rows["X (o in busy)"][-1], rows["X X (o in busy)"][-2:]], ["0", "00"])

    def test_long_runs_and_large_formulas_are_cut(self):
        parts = " && ".join(f"<> (x == {250 - i})" for i in range(20))
        model = self.write("long.pml", "byte x;\nactive proctype P() { do :: x < 200 -> x++ :: else -> x = 100 od }\n"
                           f"ltl all {{ {parts} }}\n")
        text = run("check", model, "--property", "ltl all", "--no-diagram").stdout
        table = text[text.index("'-> back"):].splitlines()
        rows = [line for line in table if re.search(r"[.*…|]{30}", line)]
        self.assertEqual(len(rows), 12)
        self.assertTrue(all(len(line) <= 100 for line in rows), rows)
        # 20 positions at each end; the loop starts between them.
        self.assertTrue(all(re.search(r"  [.*]{20}…\|…[.*]{20}$", line) for line in rows), rows)
        # 20 propositions, F of each, and the conjunction.
        self.assertTrue(any("… 29 more rows" in line for line in table))
        truth = self.violated(model)["truth"]
        self.assertEqual([len(truth["propositions"]), len(truth["subformulas"])], [20, 21])

    def test_json_rows_are_what_the_run_shows(self):
        schema = json.loads((ROOT / "docs" / "result-schema.json").read_text())
        for name, text in (("busy.ply", BUSY), ("round.pml", ROUND), ("ends.pml", ENDS), ("never.pml", NEVER)):
            model = self.write(name, text)
            whole = json.loads(run("check", model, "--format", "json").stdout)
            jsonschema.validate(whole, schema)
            # A result is a trace file too.
            saved = self.write(name + ".json", json.dumps(whole))
            self.assertEqual(run("replay", model, saved).returncode, 0, name)
        r = self.violated(self.scratch / "busy.ply")
        truth, told = r["truth"], r["narration"]
        rows = {row["text"]: [c == "1" for c in row["at"]] for row in truth["propositions"] + truth["subformulas"]}
        self.assertEqual(truth["loop_from"], r["trace"]["loop_start"] + 1)
        # Position i is what step i led to.
        received = [False] + [any(told["messages"][m - 1]["signal"] == "s" for m in step["received"]) for step in told["steps"]]
        idle = [state["values"][0] == "idle" for state in told["states"]]
        self.assertEqual(rows["o receives s"], received)
        self.assertEqual(rows["o in idle"], idle)
        # F by hand: up to the last time, if the loop has none.
        self.assertFalse(any(idle[truth["loop_from"]:]))
        self.assertEqual(rows["F (o in idle)"], [any(idle[i:]) for i in range(len(idle))])
        whole_formula = truth["subformulas"][-1]
        self.assertEqual(whole_formula["text"], "G ((o receives s) -> F (o in idle))")
        self.assertEqual(whole_formula["at"][0], "0")
        # Claims have propositions only.
        claim = self.violated(self.scratch / "never.pml")
        self.assertEqual([row["text"] for row in claim["truth"]["propositions"]], ["q == 1", "!(q == 1)"])
        self.assertEqual(claim["truth"]["subformulas"], [])

    def test_diagrams_have_loop_blocks(self):
        model = self.write("busy.ply", BUSY)
        trace = self.scratch / "t.json"
        run("check", model, "--quiet", "--trace", trace)
        start = json.loads(trace.read_text())["loop_start"]
        for form, note in (("mermaid", "  Note over"), ("plantuml", "  note over")):
            lines = run("draw", model, "--trace", trace, "--as", form).stdout.splitlines()
            at = lines.index("  loop for ever")
            self.assertEqual(len([line for line in lines[:at] if line.startswith(note)]), start)
            self.assertEqual([line for line in lines[at:] if not line.startswith(("  Note", "  note", "  o"))][:2],
                             ["  loop for ever", "  end"])
        ends = self.write("ends.pml", ENDS)
        run("check", ends, "--property", "ltl five", "--quiet", "--trace", trace)
        self.assertIn("  Note over o0: the run ends\n", run("draw", ends, "--trace", trace, "--as", "mermaid").stdout)

    def test_machine_formats_tell_the_loop_and_the_notes(self):
        model = self.write("round.pml", ROUND)
        note = "violated under weak fairness of every object too"
        sarif = json.loads(run("check", model, "--property", "ltl five", "--format", "sarif").stdout)
        result = next(r for r in sarif["runs"][0]["results"] if r["ruleId"] == "temporal")
        self.assertIn(note, result["message"]["text"])
        self.assertEqual(result["properties"]["notes"], [note])
        flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual([entry["nestingLevel"] for entry in flow], [0, 0, 1, 1])
        texts = [entry["location"]["message"]["text"] for entry in flow]
        self.assertEqual(texts[2:], ["3. P: x = 3 (from here on it repeats)", "4. P: x = 2 (then step 3 again, for ever)"])
        failure = xml.etree.ElementTree.fromstring(
            run("check", model, "--property", "ltl five", "--format", "junit").stdout).find(".//failure")
        self.assertIn("'-> back to step 3", failure.text)
        self.assertIn(note, failure.text)
        github = run("check", model, "--property", "ltl five", "--format", "github").stdout
        self.assertRegex(github, r"::error .*the last 2 steps repeat for ever; " + note)

    def test_the_automaton_of_a_property_is_drawn(self):
        model = self.write("round.pml", ROUND)
        # By hand: F !five is one state that stays where x is not 5.
        dot = run("draw", model, "--property", "ltl five", "--as", "dot").stdout
        self.assertEqual([line for line in dot.splitlines() if "->" in line],
                         ["  start -> s0;", '  s0 -> s0 [label="!(x == 5)"];'])
        self.assertIn("the runs that violate ltl five\\l", dot)
        # F G !p: wait anywhere, then stay where p is false; only the second state has the mark.
        again = run("draw", model, "--property", "ltl again", "--as", "dot").stdout
        self.assertEqual(len(re.findall(r"s\d -> s\d", again)), 3, again)
        never = self.write("never.pml", NEVER)
        name = next(p["name"] for p in json.loads(run("info", never, "--format", "json").stdout)["temporal"])
        claim = run("draw", never, "--property", name, "--as", "dot").stdout
        self.assertIn('[label="accept_seen", peripheries=2]', claim)
        self.assertIn('[label="q == 1"]', claim)
        for words, said in ((("no deadlock",), "it is no temporal property"), (("ltl sixx",), "there is no property `ltl sixx`"),
                            (("ltl five", "--as", "mermaid"), "drawn as svg or dot")):
            wrong = run("draw", model, "--property", *words)
            self.assertEqual(wrong.returncode, 3)
            self.assertIn(said, wrong.stderr)
        self.assertIn("hint: temporal properties: `ltl five`, `ltl again`", run("draw", model, "--property", "x").stderr)

    def test_the_rule_says_what_a_lasso_is(self):
        page = run("explain", "temporal").stdout
        for word in ("lasso", "stem", "loop", "Fairness", "the run ends", "vacuous"):
            self.assertIn(word, page)
        self.assertNotIn("no engine", page)


if __name__ == "__main__":
    unittest.main(verbosity=1)

#!/usr/bin/python3
"""The command line as a user meets it: exit statuses, formats, limits, hostile and huge inputs."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

PARLEY = pathlib.Path(os.environ["PARLEY_BINARY_DIR"]) / "parley"
ROOT = pathlib.Path(os.environ["PARLEY_SOURCE_DIR"])
EXAMPLES = ROOT / "examples"

COUNTER = """
signal up(int n);
class C { %s
  machine { initial -> s; state s { %s } } }
system { c : C; }
check always (c.a0 >= 0);
"""


def run(*words, cwd=None, stdin=""):
    return subprocess.run([str(PARLEY), *map(str, words)], cwd=cwd, input=stdin, text=True, capture_output=True, timeout=300)


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return path

    def test_hidden_characters_are_escaped(self):
        # Nothing that a user names reaches a terminal or a report as a control character, in any command or format.
        odd = "n\\x1b\\xc2\\x9b\\xe2\\x80\\xa8\\xe2\\x80\\xae\\x7f"
        name, owner = "`" + odd + "`", "`o" + odd + "`"
        text = (f"signal {name};\nclass K{{ int {name};\n  machine {{ initial -> s; state s {{\n"
                f"    on {name} / {{ assert {name} < 1 : \"{odd}\"; {name} = {name} + 1; }} -> s; }} }} }}\n"
                f"system {{ {owner} : K; environment sends {name} to {owner}; }}\ncheck always ({owner}.{name} < 2);\n")
        model = self.write("odd\x1b\u009b.ply", text)
        page = self.scratch / "page.html"
        commands = [["info"], ["fmt"], ["simulate"], ["bounds"], ["abstract"], ["explore"], ["check", "--html", page],
                    ["check", "--engine", "cegar"]]
        commands += [["draw", "--as", form] for form in ("dot", "mermaid", "plantuml")]
        commands += [["export", "--as", form] for form in ("btor2", "smv", "promela")]
        commands += [["check", "--format", form] for form in ("json", "ndjson", "sarif", "junit", "github")]
        for command in commands:
            done = run(command[0], model, *command[1:], "--time", "5") if command[0] == "check" else run(
                command[0], model, *command[1:])
            self.assertIn(done.returncode, (0, 1, 2), f"{command}: {done.stderr}")
            for text in (done.stdout, done.stderr, page.read_text() if page.exists() else ""):
                found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]", text)
                self.assertIsNone(found, f"{command}: {found and text[max(0, found.start() - 60):found.end()]!r}")

    def test_line_ends(self):
        # The same place, whatever ends a line, and behind a byte order mark too.
        wrong = {"ply": ["signal go; // a comment", "", "class C { machine { initial -> nowhere; } }"],
                 "pml": ["byte x; // a comment", "", "init { nowhere = 1 }"]}
        for suffix, lines in wrong.items():
            column = lines[2].index("nowhere") + 1
            for mark in ("", "\ufeff"):
                for end in ("\n", "\r\n", "\r"):
                    path = self.scratch / f"ends.{suffix}"
                    path.write_bytes((mark + end.join(lines) + end).encode())
                    self.assertIn(f":3:{column}: error", run("info", path).stderr, f"{suffix} {mark!r} {end!r}")

    def test_promela_instances(self):
        # Three W can live at once, since n counts them: two slots are not enough, three are.
        model = self.write("many.pml", "byte n; proctype W() { n = n - 1 }\n"
                           "init { do :: n < 3 -> n++; run W() :: n == 2 -> break od }\n")
        few = run("check", model, "--semantics", "instances=2")
        self.assertEqual(few.returncode, 0, few.stdout)
        self.assertIn("assuming that no more than 2 processes of type 'W' exist at a time (runs that need more were not "
                      "followed)", few.stdout)
        plenty = run("check", model, "--semantics", "instances=40")
        self.assertEqual(plenty.returncode, 0, plenty.stdout)
        for bad in ("0", "many", "3x", "99999999999"):
            refused = run("check", model, "--semantics", f"instances={bad}")
            self.assertEqual(refused.returncode, 3, bad)
            self.assertIn(f"the switch 'instances' has no value '{bad}'", refused.stderr)

    def test_promela_under_another_ending(self):
        model = self.write("model.prm", "active proctype P() { assert(false) }\n")
        self.assertEqual(run("check", model).returncode, 1)
        unknown = run("check", self.write("model.prp", "a line of text\n"))
        self.assertEqual(unknown.returncode, 3)
        for ending in (".ply", ".uml", ".pml", ".pr", ".prm", ".pm", ".p"):
            self.assertIn(ending, unknown.stderr)
            self.assertIn(ending, run("--help").stdout)
            self.assertIn(ending, run("explain", "unknown-format").stdout)

    def test_bounds_as_published(self):
        model = self.write("free.pml", "chan q = [1] of { byte };\nactive proctype P() { do :: q!1 od }\n")
        told = run("bounds", model, "--published").stdout
        self.assertIn("1 counterexamples: 0 spurious", told)
        self.assertIn("1. not decided (unguarded)", told)
        published = json.loads(run("bounds", model, "--published", "--format", "json").stdout)["published"]
        self.assertEqual(published["answer"], "unknown")
        self.assertEqual(published["unguarded"], 1)
        self.assertEqual(published["set_aside"][0]["cycles"][0]["times"], 1)
        self.assertNotIn("published", json.loads(run("bounds", model, "--format", "json").stdout))

    def test_promela_full_channel(self):
        # Spin blocks at a full channel and finds an invalid end state; with -m it loses the third message.
        model = self.write("full.pml", "chan c = [2] of { byte };\nactive proctype P() { c!1; c!2; c!3 }\n")
        blocks = run("check", model)
        self.assertEqual(blocks.returncode, 1)
        self.assertIn("violated  no deadlock", blocks.stdout)
        self.assertNotIn("no lost messages", blocks.stdout)
        loses = run("check", model, "--semantics", "full-channel=lose")
        self.assertEqual(loses.returncode, 1)
        self.assertIn("holds     no deadlock", loses.stdout)
        self.assertIn("violated  no lost messages", loses.stdout)
        self.assertIn("sends message(3) #3 to c (lost: the queue is full)", loses.stdout)
        self.assertEqual(run("check", model, "--semantics", "full-channel=burst").returncode, 3)
        self.assertIn("Promela has no switch 'queue'", run("check", model, "--semantics", "queue=x").stderr)

    def test_promela_promises(self):
        model = self.write("claim.pml", "chan c = [1] of { byte };\nactive proctype A() { c!1 }\n"
                           "active proctype B() { xr c; skip }\nactive proctype D() { c?1 }\n")
        self.assertIn("D uses channel 'c', of which B has claimed the receiving end for itself (xr)", run("check", model).stdout)
        trusting = run("check", model, "--semantics", "promises=trust")
        self.assertEqual(trusting.returncode, 0, trusting.stdout)

    def test_promela_joint_step_tells_both_sides(self):
        model = self.write("meet.pml", "chan c = [0] of { byte };\nbyte got;\n"
                           "active proctype S() {\n  c!2;\n  assert(got == 3)\n}\n"
                           "active proctype R() {\n  byte x;\n  c?x;\n  got = x\n}\n")
        shown = run("check", model).stdout
        self.assertIn("S with R: c!2 with c?x", shown)
        self.assertIn("S: line 4 -> line 5", shown)
        self.assertIn("R: line 9 -> line 10", shown)

    def test_promela_temporal_properties_are_shown(self):
        model = self.write("ltl.pml", "byte x;\nactive proctype P() { x = 1 }\nltl live { <> (x == 1) }\n"
                           "never { T: do :: x == 0 od }\n")
        text = run("info", model).stdout
        self.assertIn("ltl.pml:3:1: <> (x == 1)", text)
        self.assertIn("an automaton of 1 state, 0 accepting", text)
        info = json.loads(run("info", model, "--format", "json").stdout)
        self.assertEqual([p["name"] for p in info["temporal"]], ["ltl live", "never never_0"])
        self.assertEqual(info["temporal"][0]["text"], "<> (x == 1)")
        self.assertEqual(info["temporal"][1]["claim"][0]["edges"][0]["guard"], "x == 0")

    def test_spin_trail_is_for_promela(self):
        refused = run("check", EXAMPLES / "atm.ply", "--spin-trail", self.scratch / "t")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("--spin-trail is for Promela models", refused.stderr)

    def test_exit_status(self):
        self.assertEqual(run("check", EXAMPLES / "atm-fixed.ply", "-q").returncode, 0)
        self.assertEqual(run("check", EXAMPLES / "atm.ply", "-q").returncode, 1)
        unknown = run("check", EXAMPLES / "travel-agent-fixed.ply", "-q", "--states", "10", "--engine", "explicit")
        self.assertEqual(unknown.returncode, 2, unknown.stdout)
        self.assertEqual(run("check", "nothing.ply").returncode, 3)
        self.assertEqual(run("check", self.write("bad.ply", "class {")).returncode, 3)
        self.assertEqual(run("nonsense").returncode, 3)
        self.assertEqual(run("check", EXAMPLES / "atm.ply", "--time", "soon").returncode, 3)
        self.assertEqual(run("--help").returncode, 0)

    def test_errors_are_looked_for_whatever_is_asked(self):
        model = self.write("counter.ply", "class C { int(0..3) n = 0; machine { initial -> s; waiting state s {\n"
                           "  [n < 3] / { n = n + 1; assert n < 3; } -> s; } } }\n"
                           "system { c : C; }\ncheck always (c.n <= 2);\n")
        plain = run("check", model, "--property", "1", "--format", "json")
        self.assertEqual(plain.returncode, 1, plain.stdout)
        results = {r["property"]: r for r in json.loads(plain.stdout)["results"]}
        self.assertEqual(results["always (c.n <= 2)"]["verdict"], "holds")
        self.assertEqual(results["no assertion failures"]["verdict"], "violated")
        self.assertTrue(results["no assertion failures"]["implicit"])
        for form in ("text", "sarif", "junit", "github", "ndjson"):
            self.assertIn("no assertion failures", run("check", model, "--format", form).stdout, form)
        trusting = run("check", model, "--assume-no-errors", "--format", "json")
        self.assertEqual(trusting.returncode, 0, trusting.stdout)
        codes = [a["code"] for r in json.loads(trusting.stdout)["results"] for a in r["assumptions"]]
        self.assertIn("no-errors", codes)
        self.assertIn("some runs end early: no assertion failures is violated", run("explore", model).stdout)
        self.assertIn("no assertion failures (always looked for)", run("info", model).stdout)

    def test_labels_and_formulas_are_decided_and_what_nobody_decides_is_unknown_at_once(self):
        model = self.write("labels.pml", "byte x; chan c = [1] of { byte };\nltl p { [] <> (x == 1) }\ntrace { do :: c!1 od }\n"
                           "active proctype P() { do :: accept: x = 1 :: progress: x = 0 od }\n")
        checked = run("check", model, "--format", "json")
        self.assertEqual(checked.returncode, 1, checked.stdout)
        results = {r["property"]: r["verdict"] for r in json.loads(checked.stdout)["results"]}
        self.assertEqual(results["no deadlock"], "holds")
        self.assertEqual(results["ltl p"], "violated")
        self.assertEqual(results["no acceptance cycles"], "violated")
        self.assertEqual(results["no non-progress cycles"], "holds")  # both labels are of the loop
        self.assertEqual(results["trace"], "unknown")

    def test_machines_get_an_answer_when_the_time_is_over_before_the_model_is_loaded(self):
        states = "".join(f"  state s{i} {{ on x [{' + '.join(['n'] * 40)} > {i}] -> s{i + 1}; }}\n" for i in range(4000))
        model = self.write("long.ply", "signal x; class C { int n = 0; machine { initial -> s0;\n" + states +
                           "  waiting state s4000; } }\nsystem { c : C; }\n")
        for form in ("json", "sarif", "ndjson", "junit"):
            checked = run("check", model, "--time", "0.05", "--format", form)
            self.assertEqual(checked.returncode, 2, form)
            if form == "json":
                answer = json.loads(checked.stdout)
                self.assertTrue(answer["results"] or "while loading the model" in answer["stopped"], answer)
            elif form == "sarif":
                json.loads(checked.stdout)
            elif form == "junit":
                xml.etree.ElementTree.fromstring(checked.stdout)

    def test_lazy_time_is_an_assumption(self):
        model = self.write("late.ply", "signal x; class C { machine { initial / { send x to this; } -> s;\n"
                           "  state s { on x -> done; after 3 -> failed; } waiting state done;\n"
                           "  waiting state failed { on x / { }; } } }\nsystem { c : C; }\ncheck never (c in failed);\n")
        self.assertEqual(run("check", model).returncode, 1)
        lazy = run("check", model, "--semantics", "time=lazy", "--format", "json")
        self.assertEqual(lazy.returncode, 0, lazy.stdout)
        self.assertEqual([a["code"] for a in json.loads(lazy.stdout)["results"][0]["assumptions"]], ["lazy-time"])

    def test_usage_errors_say_what_was_meant(self):
        self.assertIn("did you mean `parley check`", run("chek", "x").stderr)
        self.assertIn("did you mean --property", run("check", "x.ply", "--propery", "y").stderr)
        self.assertIn("did you mean `no deadlock`", run("check", EXAMPLES / "atm.ply", "--property", "no deadlok").stderr)
        self.assertIn("unit `parsec`", run("check", EXAMPLES / "atm.ply", "--time", "3parsec").stderr)

    def test_no_colour_in_a_pipe(self):
        self.assertNotIn("\033", run("check", EXAMPLES / "atm.ply").stdout)

    def test_json_fits_the_schema(self):
        schema = json.loads((ROOT / "docs" / "result-schema.json").read_text())
        for example in sorted(EXAMPLES.glob("*.ply")):
            result = json.loads(run("check", example, "--format", "json").stdout)
            jsonschema.validate(result, schema)
        for example in sorted((EXAMPLES / "wide").glob("*.ply")):
            result = json.loads(run("check", example, "--engine", "cegar", "--time", "10", "--format", "json").stdout)
            jsonschema.validate(result, schema)
            for r in result["results"]:
                self.assertEqual(r["story"]["kind"], "refinement")
                self.assertEqual(r["story"]["verdict"], r["verdict"])
        for name in ("philosophers", "atm"):  # bounded by weights; a loop that grows
            text = (EXAMPLES / f"{name}.ply").read_text() + "\ncheck no unbounded queues;\n"
            result = json.loads(run("check", self.write(name + ".ply", text), "--property", "no unbounded queues",
                                    "--time", "5", "--format", "json").stdout)
            jsonschema.validate(result, schema)
            asked = next(r for r in result["results"] if not r.get("implicit"))
            story = asked["story"]
            self.assertEqual(story["kind"], "bounds")
            answers = {q["answer"] for q in story["queues"]}
            self.assertTrue({"bounded"} == answers if name == "philosophers" else "unbounded" in answers, answers)
            self.assertEqual(asked["verdict"], "holds" if name == "philosophers" else "violated")

    def page_data(self, *words):
        """The data inside the HTML report that a command writes."""
        page = self.scratch / "report.html"
        result = run(*words, "--html", page)
        self.assertLessEqual(result.returncode, 2, result.stderr)
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S).group(1))

    def test_the_loop_of_a_growing_queue_is_taken_apart(self):
        # By hand: one round is two ticks, each a turn red -> red of the counter; every second one also goes
        # red -> green -> red and sends a job that the sink keeps for ever.
        model = self.write("twice.ply", """signal tick, job;
class Counter { Sink sink; bool second = false;
  machine { initial -> red;
    waiting state red { on tick [!second] / { second = true; } -> red; on tick [second] -> green; }
    state green { / { second = false; send job to sink; } -> red; } } }
class Sink { machine { initial -> s; waiting state s { defer job; on tick; } } }
system { counter : Counter { sink = sink; }; sink : Sink; queues: capacity 1, overflow block;
  environment sends tick to counter when (len(counter) == 0); }
""")
        result = self.page_data("bounds", model, "--time", "3")["results"][0]
        queue = next(q for q in result["story"]["queues"] if q["name"] == "sink")
        self.assertEqual((queue["answer"], result["verdict"]), ("unbounded", "violated"))
        cycles = {(c["who"], c["path"], c["times"], c["effect"]) for c in queue["cycles"]}
        self.assertEqual(cycles, {("counter", "red -> red", 1, "-1 tick in counter"),
                                  ("counter", "red -> green -> red", 1, "+1 job in sink, -1 tick in counter"),
                                  ("environment", "sends tick to counter", 2, "+1 tick in counter")})
        self.assertEqual([g["rounds"] for g in queue["growth"] if g["queue"] == "sink"], [[0, 1, 2, 3, 4, 5, 6]])
        # The run on the page goes on beyond the declared capacity: every step has its state.
        self.assertEqual(len(result["narration"]["states"]), len(result["narration"]["steps"]) + 1)

    def test_bounds_by_tests_of_lengths_and_by_all_states(self):
        # meter and clock are sent to only while they are empty; that display gets no longer than 2 was seen, and seen again.
        model = EXAMPLES / "heartbeat.ply"
        queues = {q["name"]: q for q in json.loads(run("bounds", model, "--format", "json").stdout)["queues"]}
        self.assertEqual({(n, q["limit"], q["certificate"]["kind"], q["checked"]) for n, q in queues.items()},
                         {("meter", 1, "length-tests", True), ("clock", 1, "length-tests", True), ("display", 2, "exhaustive", True)})
        self.assertEqual(queues["meter"]["senders"], [{"owner": "environment", "action": "sends tick to meter", "most": 1}])
        page = {q["name"]: q for q in self.page_data("bounds", model)["results"][0]["story"]["queues"]}
        self.assertEqual(page["clock"]["proof"], "length tests")
        self.assertIn("1 after `sends period to clock` of environment", page["clock"]["argument"])
        result = run("check", self.write("asked.ply", model.read_text() + "\ncheck no unbounded queues;\n"),
                     "--property", "no unbounded queues", "--time", "10")
        self.assertRegex(result.stdout, r"holds +no unbounded queues")

    def test_promela_coverage_lists_only_what_is_dead(self):
        model = self.write("dead.pml", "byte x;\nactive proctype A() {\n  x = 1;\n  if\n  :: x == 1 -> x = 2\n  :: x == 7 -> x = 3\n  fi\n}\n")
        lines = [l for l in run("explore", model).stdout.splitlines() if "not reached" in l]
        self.assertEqual(sorted(re.search(r"line (\d+): (.*?)  \(", l).groups() for l in lines), [("6", "x = 3"), ("6", "x == 7")])

    def test_a_start_that_is_cut_is_told_by_every_engine(self):
        model = self.write("cut.ply", """signal hello;
class Sink { machine { initial -> open; waiting state open { on hello -> open; } } }
class Caller { Sink sink;
  machine { initial / { send hello to sink; if (any(bool)) { send hello to sink; } } -> done; waiting state done {} } }
system { sink : Sink; caller : Caller { sink = sink; }; queues: capacity 1, overflow cut; }
check no overflow;
check no deadlock;
""")
        for engine in ("explicit", "dfs", "bmc", "kind", "ic3", "cegar"):
            overflow, deadlock = json.loads(run("check", model, "--engine", engine, "--bound", "3", "--format", "json").stdout)["results"]
            self.assertEqual((overflow["verdict"], overflow["trace"]["steps"]), ("violated", []), engine)
            if engine != "bmc":
                self.assertEqual((deadlock["verdict"], [a["code"] for a in deadlock["assumptions"]]), ("holds", ["queue-capacity"]), engine)

    def test_machine_formats(self):
        sarif = json.loads(run("check", EXAMPLES / "atm.ply", "--format", "sarif").stdout)
        results = sarif["runs"][0]["results"]
        failed = [r for r in results if r["kind"] == "fail"]
        self.assertEqual([r["ruleId"] for r in failed], ["lost-message"])
        self.assertEqual(len(failed[0]["codeFlows"][0]["threadFlows"][0]["locations"]), 6)
        self.assertGreater(failed[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1)
        junit = xml.etree.ElementTree.fromstring(run("check", EXAMPLES / "atm.ply", "--format", "junit").stdout)
        self.assertEqual((junit.get("tests"), junit.get("failures")), ("6", "1"))
        self.assertIn("::error file=", run("check", EXAMPLES / "atm.ply", "--format", "github").stdout)
        lines = run("check", EXAMPLES / "atm.ply", "--format", "ndjson").stdout.splitlines()
        self.assertEqual(sum(json.loads(line)["verdict"] == "violated" for line in lines), 1)

    def test_trace_is_written_replayed_and_noticed_when_stale(self):
        trace = self.scratch / "t.json"
        run("check", EXAMPLES / "atm.ply", "-q", "--trace", trace)
        replay = run("replay", EXAMPLES / "atm.ply", trace)
        self.assertEqual(replay.returncode, 0, replay.stderr)
        self.assertIn("shows: no lost messages", replay.stdout)
        changed = json.loads(trace.read_text())
        changed["steps"][1], changed["steps"][2] = changed["steps"][2], changed["steps"][1]
        trace.write_text(json.dumps(changed))
        self.assertEqual(run("replay", EXAMPLES / "atm.ply", trace).returncode, 1)
        self.assertEqual(run("replay", EXAMPLES / "lift.ply", trace).returncode, 3)
        trace.write_text("[1, 2")
        self.assertEqual(run("replay", EXAMPLES / "atm.ply", trace).returncode, 3)

    def test_replay_checks_the_claim_and_the_file(self):
        # Forged fields of every kind: tests/verdict/trace_file_test.cpp.
        result = json.loads(run("check", EXAMPLES / "atm.ply", "--format", "json").stdout)
        path = self.scratch / "r.json"

        def replay(*words):
            path.write_text(json.dumps(result))
            return run("replay", EXAMPLES / "atm.ply", path, *words)

        self.assertEqual(replay().returncode, 0)
        self.assertEqual(replay("--property", "no lost messages").returncode, 0)
        self.assertEqual(replay("--property", "no deadlock").returncode, 3)  # has no trace
        lost, deadlock = ([r for r in result["results"] if r["property"] == p][0] for p in ("no lost messages", "no deadlock"))
        deadlock.update(verdict="violated", trace=lost["trace"])
        forged = replay("--property", "no deadlock")
        self.assertEqual(forged.returncode, 1)
        self.assertIn("does not show what it claims, no deadlock: the last state is no deadlock", forged.stdout)
        for action in (1.5, 2 ** 32 + 1):
            lost["trace"]["steps"][0]["action"] = action
            self.assertEqual(replay().returncode, 3, action)
        lost["trace"]["steps"] = {}
        self.assertIn("trace.steps` must be a list", replay().stderr)

    def test_certificates_are_written_and_verified(self):
        # Forged ones: tests/verify/forged_test.cpp.
        model, cert = EXAMPLES / "abp-fixed.ply", self.scratch / "c.cert"
        checked = run("check", model, "--quiet", "--certificate", cert)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        verified = run("verify", model, cert)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("closed set of", verified.stdout)
        self.assertEqual(run("verify", model, cert, "--threads", "3", "--memory", "1M").returncode, 0)
        sampled = run("verify", model, cert, "--sample", "10%")
        self.assertEqual(sampled.returncode, 2, sampled.stdout)
        self.assertIn("sampled", sampled.stdout)
        for bad in ("0%", "101", "few", "nan", "1x"):
            self.assertEqual(run("verify", model, cert, "--sample", bad).returncode, 3, bad)
        other = run("verify", EXAMPLES / "abp.ply", cert)
        self.assertEqual(other.returncode, 3)
        self.assertIn("the certificate is about another `abp-fixed.ply`", other.stderr)
        moved = self.write("elsewhere.ply", model.read_text())
        self.assertEqual(run("verify", moved, cert).returncode, 0)
        moved.write_text(model.read_text() + "\n")
        self.assertEqual(run("verify", moved, cert).returncode, 3)
        self.assertEqual(run("verify", model, self.scratch / "none.cert").returncode, 3)

    def test_certificates_say_which_options_belong_to_them(self):
        model, cert = EXAMPLES / "philosophers.ply", self.scratch / "c.cert"
        self.assertEqual(run("check", model, "-q", "--set", "N=3", "--certificate", cert).returncode, 1)
        verified = run("verify", model, cert)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("with N = 3", verified.stdout)
        self.assertIn("confirmed  violated: no deadlock", verified.stdout)
        head, blocks = cert.read_bytes().split(b"\n", 1)
        changed = json.loads(head)
        changed["subject"]["constants"]["N"] = "2"
        cert.write_bytes(json.dumps(changed).encode() + b"\n" + blocks)
        self.assertIn(run("verify", model, cert).returncode, (1, 3))

    def test_certificates_of_bounds_and_of_open_answers(self):
        cert = self.scratch / "c.cert"
        self.assertEqual(run("bounds", EXAMPLES / "atm-fixed.ply", "--certificate", cert).returncode, 0)
        verified = run("verify", EXAMPLES / "atm-fixed.ply", cert)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertRegex(verified.stdout, r"confirmed  bounded: queue atm holds at most \d+ messages")
        large = EXAMPLES / "travel-agent-fixed.ply"  # limits are looked at every few hundred states
        self.assertEqual(run("check", large, "-q", "--states", "300", "--engine", "explicit",
                             "--certificate", cert).returncode, 2)
        self.assertEqual(run("verify", large, cert).returncode, 2)

    def test_same_input_same_output(self):
        words = ("check", EXAMPLES / "mtravel.ply", "--format", "json")
        first, second = (json.loads(run(*words).stdout) for _ in range(2))
        for result in (first, second):
            result.pop("seconds")
            for r in result["results"]:
                r["coverage"].pop("seconds", None)
                r["coverage"].pop("memory_bytes", None)
        self.assertEqual(first, second)

    def test_simulate_is_reproducible_and_interactive_has_undo(self):
        words = ("simulate", EXAMPLES / "philosophers.ply", "--seed", "7", "--steps", "30")
        self.assertEqual(run(*words).stdout, run(*words).stdout)
        talk = run("simulate", EXAMPLES / "philosophers.ply", "-i", stdin="1\nu\n1\nx\n99\ns\nt\nq\n").stdout
        self.assertIn("after 1 steps", talk)
        self.assertIn("there is no such step", talk)

    def test_graph(self):
        # As tests/independent/counts.py counts it.
        graph = json.loads(run("explore", EXAMPLES / "abp.ply", "--graph", "json").stdout)
        self.assertEqual(len(graph["states"]), 1296)
        self.assertTrue(run("explore", EXAMPLES / "abp.ply", "--graph", "dot").stdout.startswith("digraph"))

    def test_drawings(self):
        atm = EXAMPLES / "atm.ply"
        self.assertIn("<svg", run("draw", atm).stdout)
        self.assertIn("stateDiagram-v2", run("draw", atm, "--machine", "Atm", "--as", "mermaid").stdout)
        self.assertIn("@startuml", run("draw", atm, "--structure", "--as", "plantuml").stdout)
        trace = self.scratch / "t.json"
        run("check", atm, "-q", "--trace", trace)
        self.assertIn("sequenceDiagram", run("draw", atm, "--trace", trace, "--as", "mermaid").stdout)
        self.assertIn("did you mean `Atm`", run("draw", atm, "--machine", "Atn").stderr)

    def test_promela_includes(self):
        folder = self.scratch / "promela-includes"
        (folder / "lib").mkdir(parents=True)
        (folder / "model").mkdir()
        (folder / "lib" / "n.h").write_text("#define N 2\n")
        model = folder / "model" / "m.pml"
        body = "byte x;\nactive proctype P() { x = N; assert(x == 2) }\n"
        model.write_text('#include "n.h"\n' + body)
        refused = run("check", model)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("[include-not-found]", refused.stderr)
        self.assertEqual(run("check", model, "-I", folder / "lib").returncode, 0)
        self.assertEqual(run("check", model, "--include", folder / "lib").returncode, 0)
        if shutil.which("gcc"):
            self.assertEqual(run("check", model, "-I", folder / "lib", "--cpp").returncode, 0)
        model.write_text('#include "../lib/n.h"\n#include "/etc/passwd"\n' + body)
        refused = run("check", model)
        self.assertEqual(refused.returncode, 3)
        self.assertEqual(refused.stderr.count("[include-refused]"), 2)
        self.assertNotIn("root:", refused.stderr)

    def test_a_bomb_of_macros_is_refused(self):
        model = self.scratch / "bomb.pml"
        lines = ["#define x0 1"] + [f"#define x{i} x{i - 1} + x{i - 1}" for i in range(1, 40)]
        model.write_text("\n".join(lines) + "\nint v = x39;\ninit { skip }\n")
        result = run("check", model, "--time", "5")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[preprocessor-limit]", result.stderr)
        self.assertIn("bomb.pml:41:9", result.stderr)

    def test_every_rule_has_a_page(self):
        for line in run("explain").stdout.splitlines():
            self.assertGreater(len(run("explain", line.split()[0]).stdout), 100)

    def codes_in_sources(self):
        """Every code that a diagnostic can carry: string literals that are the first argument of a call, or chosen
        between by `?`, in the rooms that report about models."""
        first = re.compile(r'\b(\w+)\(\s*(?:[^"();]{0,80}\?\s*)?"([a-z0-9]+(?:-[a-z0-9]+)*)"(?:\s*:\s*"([a-z0-9-]+)")?\s*,')
        second = re.compile(r'\bfail_at\(\s*[^";]{1,80}?,\s*"([a-z0-9]+(?:-[a-z0-9]+)*)"\s*,')  # a place before the code
        reporters = re.compile(r"error|warning|warn|fail|fail_at|stop|refuse|unknown")
        codes = set()
        for room in ("front", "model", "lower", "load", "driver"):
            for file in (ROOT / "src" / room).rglob("*.[ch]pp"):
                for call, *found in first.findall(file.read_text()):
                    # Only codes have hyphens in these rooms; one-word codes are told by who takes them.
                    codes |= {c for c in found if c and ("-" in c or reporters.fullmatch(call))}
                codes |= set(second.findall(file.read_text()))
        return codes - {"do-activity"}  # the name of a UML construct in the import report

    def test_every_code_of_a_message_has_a_page(self):
        listed = {line.split()[0] for line in run("explain", "--all").stdout.splitlines()}
        codes = self.codes_in_sources()
        self.assertGreater(len(codes), 150)  # 177 when this was written: the search above still finds them
        self.assertEqual(sorted(codes - listed), [])
        for code in codes:
            page = run("explain", code).stdout
            self.assertTrue(page.startswith(code + ": "), page)
            self.assertGreater(len(page.split()), 15, page)

    def test_no_page_without_a_code(self):
        rules = {line.split()[0] for line in run("explain").stdout.splitlines()}
        pages = {line.split()[0] for line in run("explain", "--all").stdout.splitlines()} - rules
        self.assertEqual(sorted(pages - self.codes_in_sources()), [])

    def test_printed_codes_have_pages(self):
        """What is printed for broken models, whatever way the code took to get there."""
        listed = {line.split()[0] for line in run("explain", "--all").stdout.splitlines()}
        printed = set()
        for file in sorted((ROOT / "tests" / "fuzz" / "corpus").rglob("*")):
            if file.is_file():
                model = self.scratch / (file.stem + {"promela": ".pml", "uml": ".uml"}.get(file.parent.name, ".ply"))
                model.write_bytes(file.read_bytes())
                printed |= set(re.findall(r"\[([a-z0-9]+(?:-[a-z0-9]+)*)\]$", run("info", model).stderr, re.M))
        self.assertGreater(len(printed), 3)
        self.assertEqual(sorted(printed - listed), [])

    def test_a_failed_assertion_is_told_once(self):
        result = run("check", EXAMPLES / "heartbeat.ply", "--no-diagram")
        self.assertEqual(result.returncode, 1)
        self.assertIn("assertion failed: a high rate is never hidden", result.stdout)
        self.assertNotIn("assertion failed: assertion failed", result.stdout)

    def test_shell_support(self):
        self.assertEqual(subprocess.run(["bash", "-n"], input=run("completion", "bash").stdout, text=True).returncode, 0)
        self.assertIn("complete -c parley", run("completion", "fish").stdout)
        self.assertIn(".TH PARLEY", run("man").stdout)

    def test_project_file(self):
        self.write("parley.toml", '[check]\nquiet = true\nset = { N = 4 }\nproperty = ["no deadlock"]\n')
        result = run("check", EXAMPLES / "philosophers.ply", cwd=self.scratch)
        self.assertIn("12 steps", result.stdout)
        self.assertNotIn("no lost messages", result.stdout)
        self.write("parley.toml", "[check]\nquite = true\n")
        bad = run("check", EXAMPLES / "philosophers.ply", cwd=self.scratch)
        self.assertEqual(bad.returncode, 3)
        self.assertIn("parley.toml:2:", bad.stderr)
        self.assertIn("did you mean `quiet`", bad.stderr)

    def test_watch_checks_again(self):
        model = self.write("m.ply", (EXAMPLES / "atm.ply").read_text())
        process = subprocess.Popen([str(PARLEY), "check", str(model), "-q", "--watch"], stdout=subprocess.PIPE, text=True)
        try:
            for expected in ("violated", "holds"):
                text = ""
                while "watching" not in text:
                    line = process.stdout.readline()
                    self.assertNotEqual(line, "", "parley --watch ended: " + text)
                    text += line
                self.assertIn(f"{expected}  " if expected == "violated" else "holds     no lost messages", text)
                model.write_text((EXAMPLES / "atm-fixed.ply").read_text())
        finally:
            process.kill()
            process.communicate()

    # --- inputs that must end in a proper answer ---------------------------------------------------------------------
    def test_ten_megabytes(self):
        model = self.write("big.ply", "// comment\n" * 900_000 + "signal a;\n" + "class C { machine { initial -> s; waiting state s; } }\nsystem { c : C; }\n")
        self.assertGreater(model.stat().st_size, 9_000_000)
        self.assertIn(run("check", model, "-q").returncode, (0, 1))

    def test_ten_thousand_parentheses(self):
        model = self.write("deep.ply", "const int N = " + "(" * 10_000 + "1" + ")" * 10_000 + ";\n")
        result = run("check", model)
        self.assertEqual(result.returncode, 3)
        self.assertIn("error", result.stderr)

    def test_a_thousand_nested_states(self):
        inside = "state leaf;"
        for i in range(1000):
            inside = f"initial -> s{i}x; state s{i}x {{ {inside} }}" if i else f"initial -> leaf; {inside}"
        model = self.write("nested.ply", f"class C {{ machine {{ {inside} }} }}\nsystem {{ c : C; }}\ncheck no deadlock;\n")
        result = run("check", model, "-q", "--time", "20")
        self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr[-300:])

    def test_a_billion_states_under_limits(self):
        attributes = " ".join(f"int(0..9) a{i} = 0;" for i in range(9))
        moves = " ".join(f"[a{i} < 9] / {{ a{i} = a{i} + 1; }} -> s;" for i in range(9))
        model = self.write("huge.ply", COUNTER % (attributes, moves) + "")
        result = run("check", model, "-q", "--memory", "1G", "--time", "20s", "--engine", "explicit",
                     "--semantics", "completion=free")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"unknown +always.*states")

    def test_not_text(self):
        (self.scratch / "noise.ply").write_bytes(bytes(range(256)) * 50)
        self.assertEqual(run("check", self.scratch / "noise.ply").returncode, 3)
        self.assertEqual(run("check", self.scratch).returncode, 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

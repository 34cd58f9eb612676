#!/usr/bin/python3
"""Temporal checks as a user meets them: patterns and their pages, fairness, runs that end, limits."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PARLEY = pathlib.Path(os.environ["PARLEY_BINARY_DIR"]) / "parley"
EXAMPLES = pathlib.Path(os.environ["PARLEY_SOURCE_DIR"]) / "examples"
LEADER = EXAMPLES / "liveness" / "leader.ply"

# A machine that ends: it goes to b and stays.
ENDS = """
class A { machine { initial -> a; state a { go: -> b; } state b; } }
system { o : A; }
check never (o takes go);
check always (next true);
check ends: eventually (o in b);
"""


def run(*words):
    return subprocess.run([str(PARLEY), *map(str, words)], text=True, capture_output=True, timeout=300)


class Temporal(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return path

    def verdicts(self, model, *words):
        result = json.loads(run("check", model, "--format", "json", *words).stdout)
        return [p["verdict"] for p in result["results"]]

    def test_every_pattern_has_a_page(self):
        overview = run("explain", "patterns").stdout
        for name, syntax in (("absence", "never P"), ("existence", "eventually P"), ("universality", "always P"),
                             ("bounded-existence", "P at most n times"), ("precedence", "S precedes P"),
                             ("response", "P leads to S")):
            self.assertIn(f"  {name} ", overview)
            page = run("explain", name).stdout
            self.assertIn(f"check {syntax};", page)
            for part in ("satisfied:", "violated:", f"{syntax} before R", f"{syntax} after Q until R"):
                self.assertIn(part, page)
        self.assertIn("G (P -> F S)", run("explain", "response").stdout)
        self.assertIn("did you mean `response`?", run("explain", "responce").stderr)

    def test_names_are_as_written_and_info_shows_the_formula(self):
        text = run("info", EXAMPLES / "liveness" / "abp.ply").stdout
        self.assertIn("delivered: sender takes fresh leads to receiver takes accept", text)
        self.assertIn("[] ((sender takes fresh) -> <> (receiver takes accept))", text)
        self.assertIn("strong fairness of line takes deliver", text)

    def test_fairness_is_chosen_on_the_command_line(self):
        self.assertEqual(run("check", LEADER).returncode, 0)
        self.assertEqual(run("check", LEADER, "--fair", "none").returncode, 1)
        self.assertEqual(run("check", LEADER, "--fair", "strong").returncode, 0)
        self.assertIn("weak", run("check", LEADER, "--fair", "week").stderr)
        starving = self.write("s.pml", "bool done;\nactive proctype A() { done = true }\n"
                              "active proctype B() { do :: skip od }\nltl p { <> done }\n")
        self.assertEqual(run("check", starving).returncode, 1)
        self.assertEqual(run("check", starving, "--fair", "weak").returncode, 0)

    def test_a_certificate_knows_the_runs_it_is_about(self):
        file = self.scratch / "leader.cert"
        run("check", LEADER, "--fair", "strong", "--finite-runs", "--certificate", file)
        told = run("verify", LEADER, file).stdout
        self.assertIn("with the semantics fairness = strong", told)
        self.assertIn("with the semantics runs = finite", told)

    def test_runs_that_end(self):
        model = self.write("ends.ply", ENDS)
        self.assertEqual(self.verdicts(model)[:3], ["violated", "holds", "holds"])
        # A finite run has a last position, and no next one there.
        self.assertEqual(self.verdicts(model, "--finite-runs")[:3], ["violated", "violated", "holds"])

    def test_the_formatter_keeps_patterns_and_fairness(self):
        for model in sorted((EXAMPLES / "liveness").glob("*.ply")):
            once = run("fmt", model).stdout
            self.assertEqual(run("fmt", self.write("again.ply", once)).stdout, once)
            self.assertEqual(run("info", self.write(model.name, once)).stdout, run("info", model).stdout.replace(
                str(model), str(self.scratch / model.name)), model.name)

    def test_a_formula_of_ten_thousand_operators_is_refused_at_once(self):
        parts = ["G F (o in b)", "F G (o in a)"] * 2500
        while len(parts) > 1:
            parts = [f"({' && '.join(parts[i:i + 2])})" for i in range(0, len(parts), 2)]
        wide = run("check", self.write("wide.ply", ENDS + f"check {parts[0]};\n"))
        self.assertEqual(wide.returncode, 3)
        self.assertIn("[formula-too-large]", wide.stderr)
        deep = run("check", self.write("deep.ply", ENDS + "check " + "G F " * 5000 + "(o in b);\n"))
        self.assertEqual(deep.returncode, 3)
        self.assertIn("[too-deep]", deep.stderr)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Parley's counterexamples as guided simulations of Spin.

For every model of the folder (tests/front/promela/models, or the one given) in which Parley finds a failed assertion or
an invalid end state: `parley check MODEL --spin-trail FILE`, then Spin follows the trail twice, as a guided simulation
(`spin -p -k FILE MODEL`) and with its verifier (`pan -r FILE`). Both must get to the end of it and to the same error.
Ends with `trails: followed=n/m`, exit status 1 if one is not followed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "tools"))
from spin_oracle import Verifier, run  # noqa: E402


def simulated(folder, trail, model, kind):
    """Whether the guided simulation gets to the end of the trail and to the error."""
    steps = len(trail.read_text().splitlines())
    out = run(["spin", "-p", "-k", str(trail), str(model)], folder, 60).stdout
    ends = re.search(r"trail ends after (\d+) steps", out)
    if kind == "assertion":
        return "assertion violated" in out
    return bool(ends) and int(ends.group(1)) == steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parley", default=str(HERE / "build" / "parley"))
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=HERE / "tests" / "front" / "promela" / "models")
    args = parser.parse_args()
    if not shutil.which("spin") or not shutil.which("gcc"):
        print("skipped: spin or gcc is not installed")
        return 0
    followed = trails = 0
    for model in sorted(args.folder.glob("*.pml")):
        with tempfile.TemporaryDirectory() as folder:
            trail = pathlib.Path(folder) / "ours.trail"
            command = [args.parley, "check", str(model), "--no-diagram", "--engine", "explicit", "--spin-trail", str(trail)]
            out = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=120).stdout
            if not trail.exists():
                continue
            kind = "deadlock" if "violated  no deadlock" in out else "assertion"
            trails += 1
            simulation = simulated(folder, trail, model, kind)
            verifier = Verifier(folder, str(model), []).follows(trail, kind)
            followed += simulation and verifier
            print(f"{model.name:40} {kind:10} simulation: {'same' if simulation else 'DIFFERENT'} "
                  f"verifier: {'same' if verifier else 'DIFFERENT'}")
    print(f"trails: followed={followed}/{trails}")
    return 0 if followed == trails and trails > 0 else 1


if __name__ == "__main__":
    sys.exit(main())

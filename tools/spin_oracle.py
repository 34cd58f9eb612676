"""Spin as the oracle: the number of stored states and the kinds of error of its full search, reductions off.

    spin -o1 -o2 -o3 -a FILE; gcc -DSAFETY -DNOREDUCE -DNOCLAIM pan.c; ./pan -c0 -m1000000

Compiling and running the verifiers of a whole corpus takes most of an hour, so both are kept in a cache folder
when one is given. `spin -a` itself is always run: the key is what it generates, together with the versions of
Spin and of the compiler and every flag, so a kept answer is the answer to exactly the same verifier.
"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

FLAGS = ["-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=6000"]
# A depth that is too small makes Spin's search incomplete; the second one is tried then.
DEPTHS = [1_000_000, 20_000_000]


def run(command, folder, seconds):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=seconds)


def versions():
    out = ""
    for command in (["spin", "-V"], ["gcc", "-dumpfullversion"]):
        out += subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
    return out


class Verifier:
    """pan of one model, compiled in `folder`; with a cache folder it is taken from there or put there."""

    def __init__(self, folder, path, defines, cache=None, optimise=False):
        self.folder, self.kept = pathlib.Path(folder), None
        run(["spin", *defines, "-o1", "-o2", "-o3", "-a", path], folder, 60)
        flags = [*FLAGS, "-O1"] if optimise else FLAGS
        if cache:
            digest = hashlib.sha256((versions() + " ".join(flags) + str(DEPTHS)).encode())
            for part in sorted(self.folder.glob("pan.*")):
                digest.update(part.name.encode() + part.read_bytes())
            self.kept = pathlib.Path(cache) / digest.hexdigest()[:32]
            if (self.kept / "pan").exists():
                shutil.copy(self.kept / "pan", self.folder / "pan")
        if not (self.folder / "pan").exists():
            run(["gcc", *flags, "-o", "pan", "pan.c"], folder, 300)
            if self.kept and (self.folder / "pan").exists():
                self.kept.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.folder / "pan", self.kept / "pan")
        self.there = (self.folder / "pan").exists()

    def count(self, seconds):
        """(states, kinds) of the full search, or None when Spin does not get through."""
        if self.kept and (self.kept / "answer.json").exists():
            states, kinds = json.loads((self.kept / "answer.json").read_text())
            return states, set(kinds)
        for depth in DEPTHS:
            out = run(["./pan", "-c0", f"-m{depth}"], self.folder, seconds).stdout
            if "max search depth too small" not in out:
                break
        found = re.search(r"^\s*([\d.e+]+) states, stored", out, re.M)
        if not found or re.search(r"max search depth too small|out of memory|Search not completed|aborting", out):
            return None
        kinds = set()
        for line in out.splitlines():
            if line.startswith("pan:") and "invalid end state" in line:
                kinds.add("deadlock")
            if line.startswith("pan:") and "assertion violated" in line:
                kinds.add("assertion")
            if line.startswith("pan:") and "non-determinism in D_proctype" in line:
                kinds.add("determinism")
        states = int(float(found.group(1)))
        if self.kept:
            (self.kept / "answer.json").write_text(json.dumps([states, sorted(kinds)]))
        return states, kinds

    def follows(self, trail, kind):
        """Whether Spin's verifier can follow a trail of ours to the error we claim."""
        steps = len(pathlib.Path(trail).read_text().splitlines())
        out = run(["./pan", "-r", trail], self.folder, 60).stdout
        ends = re.search(r"trail ends after (\d+) steps", out)
        if kind == "assertion":
            return "assertion violated" in out
        return bool(ends) and int(ends.group(1)) == steps and "(invalid end state)" in out


def spin_count(path, defines, seconds, trail=None, cache=None, optimise=False):
    """(states, kinds, replayed) of Spin's full search, or None when Spin does not get through.

    `trail` is (file, kind) of an error trace of ours that Spin is to follow; without one, replayed is True."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            verifier = Verifier(folder, path, defines, cache, optimise)
            answer = verifier.count(seconds) if verifier.there else None
            if answer is None:
                return None
            return (*answer, verifier.follows(*trail) if trail else True)
        except (subprocess.TimeoutExpired, FileNotFoundError):
            return None

"""One run of a program, measured: wall clock, largest resident memory, how it ended, what it said."""
import dataclasses
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time


@dataclasses.dataclass
class Run:
    seconds: float
    peak_bytes: int
    status: int  # exit status; minus the signal that killed it
    out: str
    err: str

    @property
    def crashed(self):
        """Ended by a signal that nobody sent, or by an error of the program itself."""
        return self.status < 0 or self.status == 4


def run(words, *, signal_after=None, file_bytes=None, stdout=None, cwd=None, patience=120):
    """Runs the words. `signal_after` is (seconds, signal); `file_bytes` stands for a disk with so much room;
    `stdout` is a descriptor instead of a file. A run that outlives `patience` is killed: status -9."""
    def prepare():
        if file_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        # The outputs of the program are files; with a limit on these the pipe end of a reader is used instead.
        child = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=out if stdout is None else stdout,
                                 stderr=err, preexec_fn=prepare, cwd=cwd)
        timers = [threading.Timer(patience, child.send_signal, (signal.SIGKILL,))]
        if signal_after:
            timers.append(threading.Timer(signal_after[0], child.send_signal, (signal_after[1],)))
        for timer in timers:
            timer.start()
        _, state, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(state)
        for timer in timers:
            timer.cancel()
        out.seek(0)
        err.seek(0)
        return Run(seconds, usage.ru_maxrss * 1024, child.returncode, out.read().decode(errors="replace"),
                   err.read().decode(errors="replace"))

"""Starting and ending child processes so that none outlives its parent and none is lost sight of.

Each child leads a session of its own, so that Ctrl-C in a terminal reaches only the parent, and so that the
child's own children can be found. On Linux the kernel signals a child when its parent dies. What survives even
that (grandchildren, a child that ignores the signal) is found again through the child's *mark*: a file with the
process id and its start time, which together cannot mean another process.
"""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

Pause = Callable[[float], None]
"""Waits some seconds. May raise to give up waiting."""

Steps = Sequence[tuple[signal.Signals, float]]
"""Signals to try in turn, each with the seconds it is given before the next; SIGKILL comes after the last."""

_PR_SET_PDEATHSIG = 1


def write_private(path: Path, text: str) -> None:
    """Put ``text`` in ``path``, for its owner's eyes, in one step: a reader sees the old file or the new one whole."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def spawn(
    command: Sequence[str | Path],
    *,
    mark: Path,
    log: Path | None,
    env: Mapping[str, str],
    cwd: Path,
    user: pwd.struct_passwd | None = None,
    on_parent_death: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start ``command`` with its output appended to ``log`` (ours, if None), as ``user`` if given, and leave its mark.

    Call it from the main thread: the kernel takes the end of the starting thread for the parent's death.
    Raises ``OSError`` when the program cannot be run.
    """
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    with nullcontext() if log is None else log.open("ab") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output and subprocess.STDOUT,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_die_with_parent(on_parent_death),
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
        )
    mark.parent.mkdir(parents=True, exist_ok=True)
    write_private(mark, f"{process.pid} {_started(process.pid)}\n")
    return process


def end(process: subprocess.Popen[bytes], mark: Path, steps: Steps, pause: Pause = time.sleep) -> None:
    """End a child: try the signals of ``steps`` in turn, then kill what is left of its session; take its mark away."""
    for step, seconds in steps:
        if process.poll() is not None:
            break
        process.send_signal(step)
        until = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < until:
            pause(0.02)
    _kill_session(process.pid)
    process.wait()
    mark.unlink(missing_ok=True)


def end_leftover(mark: Path, steps: Steps, pause: Pause = time.sleep) -> bool:
    """End what a killed parent left running under ``mark``. Says whether there was anything."""
    try:
        pid, started = (int(word) for word in mark.read_text("utf-8").split())
    except FileNotFoundError:
        return False
    now = _started(pid)
    if now not in (started, 0):
        mark.unlink()  # the number has passed to a stranger, so nothing of the old session is left
        return False
    found = bool(_session(pid))
    for step, seconds in steps:
        if _started(pid) != started:
            break
        os.kill(pid, step)
        until = time.monotonic() + seconds
        while _started(pid) == started and time.monotonic() < until:
            pause(0.02)
    _kill_session(pid)
    mark.unlink(missing_ok=True)
    return found


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log, for a person to read."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 16_384))
            return "\n".join(file.read().decode("utf-8", "replace").splitlines()[-lines:])
    except FileNotFoundError:
        return ""


def length(log: Path) -> int:
    """How much a log holds so far, in bytes."""
    return log.stat().st_size if log.exists() else 0


def said_since(log: Path, offset: int) -> str:
    """What a log has got since it held ``offset`` bytes; of very much, the first megabyte."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(offset)
        return file.read(1_000_000).decode("utf-8", "replace")


def _die_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:  # it died before it was asked for
            os._exit(1)

    return ask


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on (state, parent, group, session, …); empty for the dead."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [] if fields[0] in "ZX" else fields


def _started(pid: int) -> int:
    """When a running process began, in ticks since the machine's start; 0 for none."""
    fields = _stat(pid)
    return int(fields[19]) if fields else 0


def _session(leader: int) -> list[int]:
    """Every running process of a session, its leader included."""
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [pid for pid in pids if (fields := _stat(pid)) and int(fields[3]) == leader]


def _kill_session(leader: int) -> None:
    for _ in range(100):  # a dying session may still fork
        members = _session(leader)
        if not members:
            return
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)

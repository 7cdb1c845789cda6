"""`python -m tests.faults.small_disk MEGABYTES FOLDER PROGRAM ARGUMENT...`: run a program for which a folder is a small disk.

The disk is a tmpfs in a mount namespace of the program's own, which goes with it, so that nothing has to be cleaned up.
Root makes such a namespace directly; anybody else in a user namespace of their own, in which they stay who they are.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x4000, 0x40000

INSTRUCTIONS = """
A small disk could not be made ({why}). This test needs one: run it as root with the right to mount (in a container:
CAP_SYS_ADMIN, `docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined`), or as a user on a system that
allows user namespaces (`sysctl -w user.max_user_namespaces=1000`; on Ubuntu also
`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`).
"""

_libc = ctypes.CDLL(None, use_errno=True)


def main(megabytes: str, folder: str, *command: str) -> None:
    """Mount, then become the program."""
    user, group = os.geteuid(), os.getegid()
    try:
        _own_namespace(user, group)
        _mount("none", "/", None, MS_REC | MS_PRIVATE, None)
        _mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, f"size={megabytes}m,mode=0755")
    except OSError as error:
        sys.exit(INSTRUCTIONS.format(why=error))
    os.execv(command[0], command)  # noqa: S606  the test's own command, by design without a shell


def _own_namespace(user: int, group: int) -> None:
    if user == 0:
        _call("unshare", CLONE_NEWNS)
        return
    _call("unshare", CLONE_NEWUSER | CLONE_NEWNS)
    myself = Path("/proc/self")
    (myself / "setgroups").write_text("deny")
    (myself / "uid_map").write_text(f"{user} {user} 1")
    (myself / "gid_map").write_text(f"{group} {group} 1")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None) -> None:
    words = [None if word is None else word.encode() for word in (source, target, kind)]
    _call("mount", *words, ctypes.c_ulong(flags), None if data is None else data.encode())


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


if __name__ == "__main__":
    main(*sys.argv[1:])

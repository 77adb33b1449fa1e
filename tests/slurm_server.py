"""A SLURM on the loopback address: munged, slurmctld and slurmd, with accounting also MariaDB and slurmdbd.

All files are in one folder. SLURM's programs look for their configuration in /etc/slurm, so they run in a mount
namespace in which that folder is ours; nothing changes outside, and only processes started here are stopped.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

DEBIAN = {"slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client", "munged": "munge"}
DEBIAN_ACCOUNTING = {"slurmdbd": "slurmdbd", "mariadbd": "mariadb-server"}
# Processes are followed and their memory is measured from /proc, because a container may have no cgroups to give away.
CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={slurmctld}
SlurmdPort={slurmd}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MpiDefault=none
KillWait=5
ReturnToService=2
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory}
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
WITHOUT_ACCOUNTING = "AccountingStorageType=accounting_storage/none\n"
WITH_ACCOUNTING = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort={slurmdbd}
AccountingStoragePass={folder}/munge.socket
"""
DATABASE = """\
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={slurmdbd}
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={mariadb}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
CommunicationParameters=NoInAddrAny
"""


def missing(accounting: bool = False) -> str | None:
    """Install Debian's SLURM where we may; return why there is none, or None."""
    programs = DEBIAN | (DEBIAN_ACCOUNTING if accounting else {})
    packages = [package for program, package in programs.items() if shutil.which(program) is None]
    if os.geteuid() != 0:
        return "SLURM's daemons need root to be started"
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        return "mount namespaces are not allowed here"
    if packages and shutil.which("apt-get") is None:
        return f"{', '.join(packages)} not installed, and there is no apt-get"
    if packages:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        if subprocess.run(install, env=environment, **quiet).returncode != 0:
            return f"{', '.join(packages)} could not be installed"
    return None


def free_ports(number: int) -> list[int]:
    """Return ports of the loopback address that nobody listens on."""
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """A cluster of one node; a context that starts it and stops what it started."""

    def __init__(self, folder: Path, accounting: bool = False):
        self.folder, self.accounting = folder, accounting
        (folder / "etc").mkdir(parents=True)
        folder.chmod(0o755)
        for name in ("state", "spool"):
            (folder / name).mkdir()
        names = ("slurmctld", "slurmd", "slurmdbd", "mariadb")
        values = dict(zip(names, free_ports(len(names)), strict=True)) | {
            "folder": folder,
            "host": socket.gethostname().partition(".")[0],
            "cpus": os.cpu_count(),
            "memory": 8000,
        }
        self.values = values
        text = CONFIGURATION + (WITH_ACCOUNTING if accounting else WITHOUT_ACCOUNTING)
        (folder / "etc/slurm.conf").write_text(text.format(**values))
        if accounting:
            (folder / "etc/slurmdbd.conf").write_text(DATABASE.format(**values))
            (folder / "etc/slurmdbd.conf").chmod(0o600)
        self.processes: list[subprocess.Popen] = []
        self.holder: subprocess.Popen | None = None

    def __enter__(self) -> Slurm:
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        # The cluster's namespace lives as long as this process, which says when it is ready.
        mount = f"mount --bind {shlex.quote(str(self.folder / 'etc'))} /etc/slurm && echo ready && exec sleep infinity"
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount], stdout=subprocess.PIPE, text=True
        )
        assert self.holder.stdout is not None
        assert self.holder.stdout.readline() == "ready\n"
        places = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={self.folder}/munge.{ending}" for option, ending in places.items()]
        self._daemon("munged", "--foreground", "--force", *options)
        self._until("munge", lambda: (self.folder / "munge.socket").exists())
        if self.accounting:
            self._start_database()
        self._daemon("slurmctld", "-D", "-L", str(self.folder / "slurmctld.log"))
        self._daemon("slurmd", "-D", "-L", str(self.folder / "slurmd.log"))
        self._until("slurmctld", lambda: "idle" in self.call("sinfo", "--noheader", "--format=%T", ok=False))

    def _start_database(self) -> None:
        data, port = self.folder / "mariadb", str(self.values["mariadb"])
        self.call(
            "mariadb-install-db",
            "--no-defaults",
            "--user=root",
            "--auth-root-authentication-method=socket",
            f"--datadir={data}",
        )
        place = [f"--datadir={data}", f"--socket={self.folder}/mariadb.socket", f"--pid-file={self.folder}/mariadb.pid"]
        self._daemon("mariadbd", "--no-defaults", "--user=root", "--bind-address=127.0.0.1", f"--port={port}", *place)
        client = ["mariadb", "--no-defaults", f"--socket={self.folder}/mariadb.socket", "-e"]
        self._until("mariadbd", lambda: "1" in self.call(*client, "select 1", ok=False))
        self.call(*client, "create database slurm; grant all on slurm.* to slurm@'127.0.0.1' identified by 'slurm'")
        self._daemon("slurmdbd", "-D")
        manage = ["sacctmgr", "--immediate", "--quiet"]
        self._until("slurmdbd", lambda: "root" in self.call("sacctmgr", "--noheader", "show", "user", ok=False))
        self.call(*manage, "add", "cluster", "loopback")
        self.call(*manage, "add", "account", "study")
        self.call(*manage, "add", "user", "root", "account=study")

    def __exit__(self, *_) -> None:
        if self.holder is not None and self.holder.poll() is None and self.processes:
            self.call("scancel", "--user=root", ok=False)
            time.sleep(1)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self.holder is not None:
            self.holder.kill()
            self.holder.wait()

    def command(self, *words: str, folder: Path | None = None) -> list[str]:
        """Return a command that sees this cluster."""
        assert self.holder is not None
        inside = f"cd {shlex.quote(str(folder or self.folder))} && exec {shlex.join(words)}"
        return ["nsenter", f"--target={self.holder.pid}", "--mount", "--", "sh", "-c", inside]

    def call(self, *words: str, ok: bool = True) -> str:
        """Return what a command says on this cluster."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=60, check=False)
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done.stdout if done.returncode == 0 else ""

    def _daemon(self, *words: str) -> None:
        with open(self.folder / f"{words[0]}.output", "w") as output:
            self.processes.append(
                subprocess.Popen(self.command(*words), stdout=output, stderr=output, start_new_session=True)
            )

    def _until(self, name: str, ready, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not ready():
            said = "\n".join(path.read_text()[-2000:] for path in sorted(self.folder.glob("*.output")))
            assert time.monotonic() < end, f"{name} did not start: {said}"
            assert all(process.poll() is None for process in self.processes), f"{name} ended: {said}"
            time.sleep(0.2)

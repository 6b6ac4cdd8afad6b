"""What this machine has of all that Arena can use. Looks without loading anything heavy."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import socket
import sys
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from roboracer_arena import __version__

__all__ = ["DoctorItem", "DoctorReport", "examine"]

_OLLAMA = ("127.0.0.1", 11434)
"""Where Ollama listens unless OLLAMA_HOST says otherwise."""
_PATIENCE = 0.3
"""How long to wait for a program on this machine to answer [s]."""


class DoctorItem(BaseModel):
    """One thing that was looked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    present: bool
    found: str
    """Version and place; empty where absent."""
    remedy: str
    """How to get it; empty where present."""
    purpose: str


class DoctorReport(BaseModel):
    """Everything that was looked for, and what stands in the way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: tuple[DoctorItem, ...]
    problems: tuple[str, ...]


def examine() -> DoctorReport:
    """Look for every library, program and simulator that Arena can use."""
    items = (
        _present("arena", f"{__version__} in {Path(__file__).parent}", "this package"),
        _present("python", f"{platform.python_version()} at {sys.executable}", "runs Arena"),
        _present("platform", f"{platform.system()} {platform.machine()}", "this machine"),
        _pxr(),
        _package("physx", "sapien", "sim", "the default engine (PhysX 5)"),
        _package("mujoco", "mujoco", "sim", "the second engine"),
        _package("numba", "numba", "sim", "compiles the lidar and the car models"),
        _package("renderer", "mitsuba", "render", "3D pictures without display or GPU"),
        _ollama(),
        _ros(),
        _isaac_sim(),
    )
    return DoctorReport(items=items, problems=tuple(_problems()))


def _present(name: str, found: str, purpose: str) -> DoctorItem:
    return DoctorItem(name=name, present=True, found=found, remedy="", purpose=purpose)


def _absent(name: str, remedy: str, purpose: str) -> DoctorItem:
    return DoctorItem(name=name, present=False, found="", remedy=remedy, purpose=purpose)


def _package(name: str, distribution: str, extra: str, purpose: str) -> DoctorItem:
    """Look for an installed distribution, without importing it."""
    version = _version(distribution)
    if version is None:
        return _absent(name, f"Get it with: pip install 'roboracer-arena[{extra}]'", purpose)
    return _present(name, f"{distribution} {version}", purpose)


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _pxr() -> DoctorItem:
    """Look for OpenUSD and say whose it is: usd-core's or Isaac Sim's."""
    purpose = "writes and reads stages"
    spec = importlib.util.find_spec("pxr")
    if spec is None:
        return _absent("usd", "Get it with: pip install 'roboracer-arena[usd]'", purpose)
    places = spec.submodule_search_locations or [spec.origin or ""]
    version = _version("usd-core")
    owner = f"usd-core {version}" if version else "not from usd-core (Isaac Sim brings its own)"
    return _present("usd", f"{owner} in {next(iter(places))}", purpose)


def _ollama() -> DoctorItem:
    """Look for the program and for a server that answers."""
    purpose = "reads track requests with a language model; the built-in grammar needs none"
    program = shutil.which("ollama")
    host, port = _ollama_address()
    if _answers(host, port):
        return _present("ollama", f"answers at {host}:{port}", purpose)
    if program:
        return _absent("ollama", f"{program} is installed; start it with: ollama serve", purpose)
    remedy = "Get it from ollama.com, then: ollama pull gemma4:31b"
    return _absent("ollama", remedy, purpose)


def _ollama_address() -> tuple[str, int]:
    """Return host and port from OLLAMA_HOST, or the usual ones."""
    text = os.environ.get("OLLAMA_HOST", "").split("//")[-1].strip("/")
    host, _, port = text.partition(":")
    return host or _OLLAMA[0], int(port) if port.isdigit() else _OLLAMA[1]


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_PATIENCE):
            return True
    except OSError:
        return False


def _ros() -> DoctorItem:
    """Look for a sourced ROS 2, else for the DDS that speaks to one."""
    purpose = "drives the car with a ROS 2 stack"
    distro = os.environ.get("ROS_DISTRO")
    if importlib.util.find_spec("rclpy") is not None:
        return _present("ros2", f"rclpy, ROS_DISTRO={distro or 'not set'}", purpose)
    dds = _version("cyclonedds")
    if dds:
        return _present("ros2", f"no rclpy; cyclonedds {dds} speaks DDS", purpose)
    hint = f"ROS_DISTRO is {distro}, but rclpy cannot be imported: " if distro else ""
    return _absent("ros2", f"{hint}source /opt/ros/<distro>/setup.bash", purpose)


def _isaac_sim() -> DoctorItem:
    """Look for Isaac Sim in this Python, or by its environment variable."""
    purpose = "the full engine"
    version = _version("isaacsim")
    if version or importlib.util.find_spec("isaacsim") is not None:
        return _present("isaac sim", version or "importable", purpose)
    folder = os.environ.get("ISAAC_PATH") or os.environ.get("ISAACSIM_PATH")
    if folder and Path(folder).is_dir():
        return _present("isaac sim", folder, purpose)
    remedy = "Needs an NVIDIA RTX GPU; see docs.isaacsim.omniverse.nvidia.com"
    return _absent("isaac sim", remedy, purpose)


def _problems() -> list[str]:
    """Return combinations that are known to break."""
    problems = []
    if _version("opencv-python") and _version("opencv-python-headless"):
        problems.append(
            "opencv-python and opencv-python-headless are both installed and overwrite each other; "
            "run: pip uninstall -y opencv-python-headless, "
            "then: pip install --force-reinstall opencv-python"
        )
    if _version("usd-core") and _version("isaacsim"):
        problems.append(
            "usd-core and Isaac Sim are in one environment; both bring pxr. "
            "Run: pip uninstall -y usd-core"
        )
    return problems

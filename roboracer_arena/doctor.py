"""What this machine has of all that Arena can use.

Libraries are tried in processes of their own: one that is installed may still fail to load, for
want of a system library or because another package overwrote half of it.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from roboracer_arena import __version__

__all__ = ["DoctorItem", "DoctorReport", "examine"]

_BASE = ("numpy", "scipy", "cv2", "PIL", "pydantic", "ruamel.yaml", "cyclopts", "rich")
"""What no command can do without, by import name."""
_OPENCV = (
    "opencv-python",
    "opencv-contrib-python",
    "opencv-python-headless",
    "opencv-contrib-python-headless",
)
"""Distributions that bring ``cv2``; any two overwrite each other."""
_OLLAMA = ("127.0.0.1", 11434)
"""Where Ollama listens unless OLLAMA_HOST says otherwise."""
_PATIENCE = 0.3
"""How long to wait for a program on this machine to answer [s]."""
_IMPORT_PATIENCE = 60.0
"""How long a library may take to load on a slow disk [s]."""


class DoctorItem(BaseModel):
    """One thing that was looked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    present: bool
    """Whether it is there and works."""
    found: str
    """Version and place; empty where absent."""
    remedy: str
    """How to get it; empty where present."""
    purpose: str


class DoctorReport(BaseModel):
    """Everything that was looked for, and what stands in the way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_works: bool
    """Whether everything that no command can do without is there."""
    items: tuple[DoctorItem, ...]
    problems: tuple[str, ...]
    """What is known to break, one or two sentences each."""


def examine() -> DoctorReport:
    """Look for every library, program and simulator that Arena can use; takes a few seconds."""
    probes: tuple[Callable[[], DoctorItem], ...] = (
        lambda: _present("arena", f"{__version__} in {Path(__file__).parent}", "this package"),
        lambda: _present("python", f"{platform.python_version()} at {sys.executable}", "runs it"),
        lambda: _present("platform", f"{platform.system()} {platform.machine()}", "this machine"),
        _base,
        _pxr,
        lambda: _package(
            "physx",
            "sapien",
            "sim",
            "the default engine (PhysX 5)",
            tell="print('PhysX', sapien.physx.version())",
        ),
        lambda: _package("mujoco", "mujoco", "sim", "the second engine"),
        lambda: _package("numba", "numba", "sim", "compiles the lidar and the car models"),
        lambda: _package("renderer", "mitsuba", "render", "3D pictures without display or GPU"),
        _ollama,
        _ros,
        _dds,
        _isaac_sim,
    )
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        items = tuple(pool.map(lambda probe: probe(), probes))
    base_works = all(item.present for item in items if item.name == "base")
    return DoctorReport(base_works=base_works, items=items, problems=tuple(_problems()))


def _present(name: str, found: str, purpose: str) -> DoctorItem:
    return DoctorItem(name=name, present=True, found=found, remedy="", purpose=purpose)


def _absent(name: str, remedy: str, purpose: str) -> DoctorItem:
    return DoctorItem(name=name, present=False, found="", remedy=remedy, purpose=purpose)


# -- libraries ----------------------------------------------------------------------------------


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_importable(module: str) -> bool:
    """Whether a module is found; says nothing about whether it loads."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _import_failure(modules: Sequence[str]) -> str | None:
    """Load modules in another process; return the last line of what went wrong, or None."""
    return _tried(f"import {', '.join(modules)}")[1]


def _tried(statements: str) -> tuple[str, str | None]:
    """Run statements in another Python; return what it printed, and what went wrong or None."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", statements],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_IMPORT_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return "", f"took more than {_IMPORT_PATIENCE:g} s to load"
    except OSError as error:
        return "", str(error)
    if done.returncode == 0:
        return done.stdout.strip(), None
    lines = done.stderr.strip().splitlines()
    return "", lines[-1].strip() if lines else f"ended the process with {done.returncode}"


def _base() -> DoctorItem:
    """Load what no command can do without."""
    purpose = "what no command can do without"
    failure = _import_failure(_BASE)
    if failure is None:
        versions = (f"{name} {_version(name)}" for name in ("numpy", "scipy", *_opencv_here()))
        return _present("base", ", ".join(versions), purpose)
    remedy = "Run: pip install --force-reinstall roboracer-arena"
    if "libGL" in failure or "libgthread" in failure:
        remedy = "On Debian and Ubuntu: apt install libgl1 libglib2.0-0"
    return _absent("base", f"{failure}. {remedy}", purpose)


def _package(
    name: str, distribution: str, extra: str, purpose: str, *, tell: str = ""
) -> DoctorItem:
    """Look for an installed distribution whose module has its name, load it and let it tell."""
    version = _version(distribution)
    get = f"pip install 'roboracer-arena[{extra}]'"
    if version is None:
        return _absent(name, f"Get it with: {get}", purpose)
    told, failure = _tried(f"import {distribution}\n{tell}")
    if failure:
        remedy = f"{distribution} {version} does not load ({failure}). Run: pip uninstall -y "
        return _absent(name, f"{remedy}{distribution}, then: {get}", purpose)
    return _present(name, f"{distribution} {version}{f' ({told})' if told else ''}", purpose)


def _pxr() -> DoctorItem:
    """Look for OpenUSD and say whose it is: usd-core's or Isaac Sim's."""
    purpose = "writes and reads stages"
    get = "pip install 'roboracer-arena[usd]'"
    spec = importlib.util.find_spec("pxr")
    if spec is None:
        return _absent("usd", f"Get it with: {get}", purpose)
    failure = _import_failure(["pxr.Usd", "pxr.UsdPhysics"])
    place = next(iter(spec.submodule_search_locations or [spec.origin or "?"]))
    if failure:
        return _absent("usd", f"pxr in {place} does not load ({failure}). Run: {get}", purpose)
    version = _version("usd-core")
    owner = f"usd-core {version}" if version else "not from usd-core (Isaac Sim brings its own)"
    return _present("usd", f"{owner} in {place}", purpose)


def _opencv_here() -> list[str]:
    """Return the distributions of OpenCV that are installed."""
    return [name for name in _OPENCV if _version(name)]


# -- programs -----------------------------------------------------------------------------------


def _ollama() -> DoctorItem:
    """Look for the program and for a server that answers."""
    purpose = "reads track requests with a language model; nothing else needs it"
    program = shutil.which("ollama")
    host, port = _ollama_address()
    if _answers(host, port):
        return _present("ollama", f"answers at {host}:{port}", purpose)
    if program:
        return _absent("ollama", f"{program} is installed; start it with: ollama serve", purpose)
    return _absent("ollama", "Get it from ollama.com, then: ollama serve", purpose)


def _ollama_address() -> tuple[str, int]:
    """Return host and port from OLLAMA_HOST, or the usual ones."""
    text = os.environ.get("OLLAMA_HOST", "").split("//")[-1].split("/")[0]
    host, _, port = text.rpartition(":") if ":" in text else (text, "", "")
    usable = port.isascii() and port.isdigit() and 0 < int(port) < 65536
    return host.strip("[]") or _OLLAMA[0], int(port) if usable else _OLLAMA[1]


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_PATIENCE):
            return True
    except (OSError, ValueError):  # ValueError: no host name at all
        return False


def _ros() -> DoctorItem:
    """Look for a sourced ROS 2."""
    purpose = "drives the car with a ROS 2 stack"
    distro = os.environ.get("ROS_DISTRO")
    remedy = "Get it from docs.ros.org, then: source /opt/ros/<distro>/setup.bash"
    if not _is_importable("rclpy"):
        hint = f"ROS_DISTRO is {distro}, but there is no rclpy for this Python. " if distro else ""
        return _absent("ros2", f"{hint}{remedy}", purpose)
    failure = _import_failure(["rclpy"])
    if failure:
        return _absent("ros2", f"rclpy does not load ({failure}). {remedy}", purpose)
    return _present("ros2", f"rclpy, ROS_DISTRO={distro or 'not set'}", purpose)


def _dds() -> DoctorItem:
    """Look for the library that speaks to ROS 2 without ROS 2."""
    purpose = "speaks to ROS 2 nodes from a Python without rclpy"
    version = _version("cyclonedds")
    if version is None:
        return _absent("cyclonedds", "Get it with: pip install cyclonedds", purpose)
    return _present("cyclonedds", f"cyclonedds {version}", purpose)


def _isaac_sim() -> DoctorItem:
    """Look for Isaac Sim in this Python, or by its environment variable."""
    purpose = "NVIDIA's simulator, which opens the stages"
    version = _version("isaacsim")
    if version or _is_importable("isaacsim"):
        return _present("isaac sim", version or "importable", purpose)
    folder = os.environ.get("ISAAC_PATH") or os.environ.get("ISAACSIM_PATH")
    if folder and Path(folder).is_dir():
        return _present("isaac sim", folder, purpose)
    remedy = "Needs an NVIDIA RTX GPU; see docs.isaacsim.omniverse.nvidia.com"
    return _absent("isaac sim", remedy, purpose)


def _problems() -> list[str]:
    """Return combinations that are known to break."""
    problems = []
    flavours = _opencv_here()
    if len(flavours) > 1:
        problems.append(
            f"{' and '.join(flavours)} are both installed and overwrite each other; "
            f"run: pip uninstall -y {' '.join(flavours)}, then: pip install opencv-python"
        )
    if _version("usd-core") and _version("isaacsim"):
        problems.append(
            "usd-core and Isaac Sim are in one environment; both bring pxr. "
            "Run: pip uninstall -y usd-core"
        )
    return problems

"""The bash scripts on machines with different toolkits, devices and locks.

Nothing is built: compilers, cmake and apt-get are stand-ins.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from program_under_test import run_program, write_program

OLD = "echo 'cmake/cuda_probe.cu(3): error: #error nvcc is older than 12.3' >&2; exit 1"
LOCKED = "echo 'E: Could not get lock /var/lib/apt/lists/lock' >&2; exit 100"


@pytest.fixture
def tree(tmp_path):
    """A tree with scripts/reproduce and a cmake that writes down its arguments."""
    for name in ("reproduce", "lib.sh"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    write_program(tmp_path / "scripts/bootstrap", "true")
    write_program(tmp_path / ".venv/bin/python", "echo wavefront")
    write_program(tmp_path / "bin/cmake", f'echo "$*" >> {tmp_path}/asked')

    def run(nvcc, *arguments):
        write_program(tmp_path / "bin/nvcc", nvcc)
        environment = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
        done = subprocess.run(
            [tmp_path / "scripts/reproduce", *arguments],
            capture_output=True, text=True, timeout=900, env=environment,
        )  # fmt: skip
        asked = tmp_path / "asked"
        return done, asked.read_text() if asked.exists() else ""

    return run


@pytest.mark.parametrize("nvcc", [OLD, "echo 'nvcc fatal: no host compiler' >&2; exit 1", "exit 1"])
def test_a_toolkit_that_will_not_do_gives_one_line_and_the_host_build(tree, nvcc):
    done, asked = tree(nvcc)
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stdout.splitlines() if "nvcc" in line]
    assert "does not compile" in line and line.endswith("building without the CUDA backend")
    assert "12.3" in line or nvcc != OLD
    assert "--preset host" in asked and "ARCHITECTURES" not in asked


def test_the_cuda_build_asked_for_is_refused_in_one_line(tree):
    done, asked = tree(OLD, "--preset", "cuda")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "12.3" in done.stderr
    assert asked == ""


@pytest.mark.parametrize(
    ("arguments", "architectures"),
    [([], "native"), (["--arch", "80,90"], "80-real;90"), (["--arch", "120,86"], "86-real;120")],
)
def test_users_build_for_their_devices_or_a_list(tree, arguments, architectures):
    done, asked = tree("exit 0", *arguments)
    assert done.returncode == 0, done.stderr
    assert f"--preset cuda -D CMAKE_CUDA_ARCHITECTURES={architectures}\n" in asked


@pytest.mark.parametrize(
    ("here", "chosen"), [("", "90"), ("75-real", "90"), ("75-real;86-real", "86-real")]
)
def test_native_means_the_devices_here_that_programs_run_on(tmp_path, here, chosen):
    (tmp_path / "choose.cmake").write_text(
        f"include({ROOT}/cmake/CudaBackend.cmake)\n"
        "gridloom_choose_architectures()\nmessage(NOTICE chosen:${CMAKE_CUDA_ARCHITECTURES})\n"
    )
    values = {"GRIDLOOM_CUDA": "OFF", "CMAKE_CUDA_ARCHITECTURES": "native"}
    values["CMAKE_CUDA_ARCHITECTURES_NATIVE"] = here
    defined = [word for name, value in values.items() for word in ("-D", f"{name}={value}")]
    done = run_program("cmake", *defined, "-P", "choose.cmake", cwd=tmp_path)
    assert done.returncode == 0 and f"chosen:{chosen}\n" in done.stderr, done.stderr


@pytest.mark.parametrize(("python", "installs"), [("exit 0", False), ("exit 1", True)])
def test_a_list_installs_only_where_the_environment_is_missing(tree, tmp_path, python, installs):
    write_program(tmp_path / "scripts/bootstrap", f"touch {tmp_path}/installed")
    write_program(tmp_path / ".venv/bin/python", f"[ $1 != -c ] || {python}")
    done, asked = tree("exit 0", "--list")
    assert done.returncode == 0 and asked == "", done.stderr
    assert (tmp_path / "installed").exists() == installs


WRONG = [(name, "--arch", value, "80,90") for name in ("reproduce", "bundle")
         for value in ("sm_90", "80,", "", "9.0")]  # fmt: skip
WRONG += [("bundle", "--pack", value, ".tar.xz") for value in ("", "dist.zip", ".tar.xz")]


@pytest.mark.parametrize(("name", "option", "value", "words"), WRONG)
def test_a_wrong_value_is_a_usage_error(name, option, value, words):
    command = [ROOT / "scripts" / name, option, value]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr


def configure(tmp_path, nvcc, *options):
    """Runs cmake/CudaBackend.cmake alone."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(x NONE)\n"
        f"include({ROOT}/cmake/CudaBackend.cmake)\n"
    )
    write_program(tmp_path / "nvcc", nvcc)
    return subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "build", *options],
        capture_output=True, text=True, timeout=900,
        env=os.environ | {"CUDACXX": str(tmp_path / "nvcc")},
    )  # fmt: skip


def test_cmake_builds_for_the_host_where_the_toolkit_will_not_do(tmp_path):
    done = configure(tmp_path, OLD)
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stdout.splitlines() if "Gridloom" in line]
    assert "without the CUDA backend" in line and "nvcc is older than 12.3" in line


def test_cmake_refuses_that_toolkit_where_cuda_is_demanded(tmp_path):
    done = configure(tmp_path, OLD, "-DGRIDLOOM_CUDA=ON")
    assert done.returncode != 0 and "nvcc is older than 12.3" in " ".join(done.stderr.split())


@pytest.fixture
def bare(tmp_path):
    """A machine with all packages; run(apt_get, without) replaces apt-get and removes a package."""
    release = Path("/etc/os-release").read_text() if Path("/etc/os-release").exists() else ""
    if not any(name in release for name in ('VERSION_ID="12"', 'VERSION_ID="24.04"')):
        pytest.skip("scripts/bootstrap installs on Debian 12 and Ubuntu 24.04 only")
    (tmp_path / "scripts").mkdir()
    for name in ("bootstrap", "lib.sh"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    for name in ("requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("bash", "basename", "cat", "dirname", "env", "readlink", "sed", "seq",
                 "sha256sum", "tr"):  # fmt: skip
        (tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    for name in ("make", "cmake", "ninja", "git", "h5c++", "python3", "ccache"):
        write_program(tmp_path / "bin" / name, "exit 0")
    write_program(tmp_path / "bin/g++", 'case $1 in -E) cat ;; *) echo "/there/${1##*=}" ;; esac')
    write_program(tmp_path / "bin/id", "echo 0")
    write_program(tmp_path / "bin/sleep", f"echo slept >> {tmp_path}/slept")
    write_program(tmp_path / ".venv/bin/python", "exit 0")
    stamp = subprocess.run(
        "sha256sum < requirements.txt", shell=True, capture_output=True, cwd=tmp_path
    )
    (tmp_path / ".venv/.requirements.sha256").write_bytes(stamp.stdout)

    def run(apt_get, without):
        (tmp_path / "bin" / without).unlink()
        write_program(tmp_path / "bin/apt-get", f'echo "$*" >> {tmp_path}/apt\n{apt_get}')
        return subprocess.run(
            [tmp_path / "bin/bash", tmp_path / "scripts/bootstrap"],
            capture_output=True, text=True, timeout=900, env={"PATH": f"{tmp_path}/bin"},
        )  # fmt: skip

    return tmp_path, run


def test_bootstrap_waits_for_the_locks_of_a_first_boot(bare):
    folder, run = bare
    # The first call finds the lists locked; the second comes after a wait.
    locked_once = f"[ -e {folder}/slept ] || {{ {LOCKED}; }}"
    done = run(locked_once, without="git")
    assert "waiting for another apt-get" in done.stdout, done.stderr
    calls = (folder / "apt").read_text().splitlines()
    assert calls[:2] == ["update -qq", "update -qq"]
    assert "DPkg::Lock::Timeout=600 install" in calls[2] and calls[2].endswith(" git")


def test_bootstrap_goes_on_without_ccache(bare):
    _, run = bare
    done = run("exit 1", without="ccache")
    assert done.returncode == 0, done.stderr
    assert "without ccache" in done.stdout and "virtual environment" in done.stdout


def test_bootstrap_stops_if_a_required_package_cannot_be_installed(bare):
    _, run = bare
    done = run("exit 1", without="git")
    assert done.returncode == 1 and "missing: git" in done.stderr


@pytest.mark.parametrize(("inside", "code"), [(False, 2), (True, 0)])
def test_bootstrap_leaves_the_environment_of_another_alone(bare, tmp_path_factory, inside, code):
    folder, run = bare
    other = folder / "other" if inside else tmp_path_factory.mktemp("outside") / "other"
    (folder / ".venv").rename(other)
    (folder / ".venv").symlink_to(other)
    before = sorted(path.name for path in other.iterdir())
    done = run("exit 0", without="ccache")
    assert done.returncode == code, done.stderr
    if not inside:
        assert done.stderr.count("\n") == 1 and "leads out of the repository" in done.stderr
        assert sorted(path.name for path in other.iterdir()) == before
        assert not (folder / "apt").exists()


ODD = ("x\x1b[31my\n", "--\x9b\x07\t'\\", "a" * 60_000, "\n" * 60_000)


@pytest.mark.parametrize(
    ("name", "locale", "words"),
    # All scripts report errors by `die` of lib.sh, so only one of them gets every word.
    [("bundle", "C.UTF-8", ODD), ("bundle", "C", ODD)]
    + [(name, "C", ODD[:1]) for name in ("test", "fuzz", "bootstrap", "reproduce")],
    ids=["utf-8", "c", "test", "fuzz", "bootstrap", "reproduce"],
)
def test_control_characters_of_arguments_are_escaped(name, locale, words):
    for word in words:
        done = subprocess.run(
            [ROOT / "scripts" / name, word], capture_output=True, text=True, timeout=900,
            env=os.environ | {"LC_ALL": locale},
        )  # fmt: skip
        assert done.returncode == 2 and done.stdout == "", (word[:20], done.stderr[:500])
        assert done.stderr[-1] == "\n" and done.stderr[:-1].isprintable(), done.stderr[:500]
        assert len(done.stderr) < 1500, word[:20]
    assert "unknown " in done.stderr

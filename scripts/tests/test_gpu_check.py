"""gridloom-gpu-check runs the declared checks, and skips those whose device is missing.

The programs here are stand-ins. The last tests use the declarations of the repository.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter

import pytest

from conftest import ROOT
from program_under_test import write_program

DECLARED = """
[tests]
a_test = 30
[[checks]]
name = "a {}"
tool = ["memcheck", "racecheck"]
each = ["x", "y"]
command = ["a", "--arm", "{}"]
seconds = 10
[[checks]]
name = "smoke"
command = ["b"]
output = "b.h5"
seconds = 5
"""


@pytest.fixture
def tree(tmp_path):
    """An installed tree without programs; a runner of its gridloom-gpu-check."""
    (tmp_path / "bin/tests").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/gpu/gridloom-gpu-check", tmp_path / "bin")

    def run(*arguments, path=os.environ["PATH"]):
        script = tmp_path / "bin/gridloom-gpu-check"
        return subprocess.run(
            [sys.executable, script, *map(str, arguments)], capture_output=True,
            text=True, cwd=tmp_path, env=os.environ | {"PATH": path},
        )  # fmt: skip

    return tmp_path, run


def declare(root, text, artifact="one"):
    folder = root / "share/gridloom" / artifact
    folder.mkdir(parents=True)
    (folder / "artifact.toml").write_text(text)


@pytest.fixture
def check(tree):
    """Runs the checks of DECLARED; their programs print a message and exit with a code."""
    root, run = tree
    declare(root, DECLARED)
    write_program(root / "tools/compute-sanitizer", 'echo "$@" >>commands; shift 4; exec "$@"')

    def check(message, code, *arguments, sanitizer=True):
        for name in ("a", "b", "tests/a_test"):
            write_program(root / "bin" / name, f"echo '{message}' >&2\necho $* >>ran\nexit {code}")
        path = "/usr/bin:/bin"
        return run(*arguments, path=f"{root}/tools:{path}" if sanitizer else path)

    return check


@pytest.mark.parametrize(
    ("message", "code"),
    [("a: this build has no CUDA backend (so)", 2), ("found no CUDA device", 2), ("", 77)],
)
def test_without_a_device_everything_is_skipped(message, code, check):
    done = check(message, code)
    assert done.returncode == 0 and message in done.stdout
    assert done.stdout.endswith("\n0 passed, 0 failed, 6 skipped\n")


@pytest.mark.parametrize(("message", "code"), [("unknown option", 2), ("wrong result", 1)])
def test_other_failures_are_failures(message, code, check):
    done = check(message, code)
    assert done.returncode == 1 and done.stdout.count(message) == 6
    assert done.stdout.endswith("\n0 passed, 6 failed, 0 skipped\n")


def test_a_missing_program_fails_its_check(tree):
    root, run = tree
    declare(root, DECLARED)
    done = run("a_test")
    assert done.returncode == 1 and "0 passed, 1 failed, 0 skipped" in done.stdout


def test_everything_runs_with_its_tool_arguments_and_output(check, tree):
    done = check("", 0, "--output", "results/new")
    assert done.returncode == 0 and done.stdout.endswith("\n6 passed, 0 failed, 0 skipped\n")
    root = tree[0]
    ran = [
        f"--tool {tool} --error-exitcode 1 {root}/bin/a --arm {arm}"
        for tool in ("memcheck", "racecheck")
        for arm in "xy"
    ]
    assert (root / "commands").read_text().splitlines() == ran
    assert f"--output {root}/results/new/b.h5\n" in (root / "ran").read_text()
    assert (root / "results/new").is_dir()


def test_without_the_sanitizer_its_checks_are_skipped_visibly(check):
    done = check("", 0, sanitizer=False)
    if shutil.which("compute-sanitizer", path="/usr/bin:/bin"):
        pytest.skip("compute-sanitizer is part of this system")
    assert done.returncode == 0 and "compute-sanitizer was not found" in done.stdout
    assert done.stdout.endswith("\n2 passed, 0 failed, 4 skipped\n")
    assert check("", 0, "--no-sanitizer").stdout.endswith("\n2 passed, 0 failed, 0 skipped\n")


@pytest.mark.parametrize(
    "arguments",
    [["--moon"], ["--part", "3/2"], ["--part", "0/1"], ["--part", "x"], ["no-such-check"]],
)
def test_bad_usage_is_exit_code_2_and_runs_nothing(check, tree, arguments):
    done = check("", 0, *arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and not (tree[0] / "ran").exists()


@pytest.mark.parametrize("text", ["[[checks]]\nseconds = 1", DECLARED + "moon = 1", "", "x ="])
def test_a_wrong_declaration_is_named(tree, text):
    root, run = tree
    declare(root, text)
    done = run()
    assert done.returncode == 2 and f"{root}/share/gridloom" in done.stderr


def names(done):
    assert done.returncode == 0, done.stderr
    return Counter(line[15:67].strip() for line in done.stdout.splitlines()[:-1])


def test_parts_and_patterns_choose(check):
    whole = names(check("", 0, "--list"))
    parts = [names(check("", 0, "--list", "--part", f"{n}/2")) for n in (1, 2)]
    assert parts[0] + parts[1] == whole and sum(whole.values()) == 6
    assert check("", 0, "--list", "--part", "1/2").stdout.endswith(" checks, 40 s\n")
    assert set(names(check("", 0, "--list", "mem*x", "smoke"))) == {"memcheck a x", "smoke"}
    assert names(check("", 0, "--list", "one")) == whole


# --- the declarations of the repository -------------------------------------------------------


@pytest.fixture
def installed(tree):
    root, run = tree
    for path in [*ROOT.glob("*/artifact.toml"), ROOT / "common/checks.toml"]:
        declare(root, path.read_text(), path.parent.name)
    return run


def test_each_seventh_takes_at_most_eight_minutes(installed):
    for number in range(1, 8):
        done = installed("--list", "--part", f"{number}/7")
        assert int(re.search(r"(\d+) s\n$", done.stdout)[1]) <= 8 * 60


def test_every_device_test_is_declared(installed):
    made = set()
    for path in ROOT.glob("**/tests/CMakeLists.txt"):
        text = path.read_text()
        made |= {f"{name}_cuda_test" for name in re.findall(r"gridloom_device_test\((\w+)", text)}
        calls = re.findall(r"gridloom_test\((\w+)([^)]*)\)", text)
        made |= {name for name, rest in calls if "INSTALL" in rest}
    declared = names(installed("--list"))
    assert len(made) >= 11 and {name for name in declared if name.endswith("_test")} == made


def test_the_filters_name_existing_cases():
    """A filter that matches nothing would run the largest cases under compute-sanitizer."""
    filters = {
        word.removeprefix("--run_test=").replace("{}", value).lstrip("!")
        for path in ROOT.glob("*/artifact.toml")
        for table in tomllib.loads(path.read_text())["checks"]
        for word in table["command"] if word.startswith("--run_test=")
        for value in table.get("each", [""])
    }  # fmt: skip
    sources = [path.read_text() for path in ROOT.glob("*/tests/*_test.cpp")]
    assert len(filters) >= 10
    for name in filters - {"@teams"}:
        suite, case = name.split("/")
        [text] = [t for t in sources if f"BOOST_AUTO_TEST_SUITE({suite})" in t]
        if not case.startswith("*"):  # cases of one scheduler are called CASE<...SCHEDULER...>
            assert re.search(rf"TEST_CASE(_TEMPLATE)?\(\s*{case.rstrip('*')}", text), name

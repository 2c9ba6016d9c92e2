"""Declarations of artifacts, the rules of what may include what, and scripts/new_artifact."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from gridloom import artifacts

SOURCES = {".hpp", ".cuh", ".h", ".cpp", ".cu", ".cc", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

DECLARATIONS = sorted(ROOT.glob("*/artifact.toml"))
NAMES = sorted(
    {"thesis_mhive", "juggler", "tiled_qr", "wavefront", "pets"}
    | {path.parent.name for path in DECLARATIONS}
)


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.parent.name)
def test_declaration_parses_and_names_what_exists(path):
    artifact = artifacts.read_artifact(path)
    assert artifact.name == path.parent.name
    for file in (file for run in artifact.runs for file in run.written):
        assert file.startswith(f"{artifact.name}-")  # all artifacts write to one folder
    # A new artifact may have no figures yet.
    for figure in artifact.figures:
        assert (ROOT / figure.script).is_file(), figure.script
        script = Path(figure.script)  # scripts/plots/<artifact>/<figure without its prefix>.py
        assert script.parent.name == artifact.name and figure.name.endswith(f"_{script.stem}")
        assert figure.minutes > 0 and figure.description


# Scripts that draw no figure of an artifact.
TOOLS = {f"scripts/plots/{name}.py" for name in ("reference", "front_page")}


def test_every_plotting_script_belongs_to_a_declared_figure():
    declared = {figure.script for a in artifacts.read_all() for figure in a.figures}
    declared |= TOOLS
    for path in sorted((ROOT / "scripts/plots").rglob("*.py")):
        # Figures are declared once there are stored files to draw them from.
        has_stored = path.parent.name == "plots" or (ROOT / path.parent.name / "reference").exists()
        if has_stored and "__main__" in path.read_text():
            assert str(path.relative_to(ROOT)) in declared


@pytest.mark.parametrize("name", ["common", *NAMES])
def test_no_artifact_is_included_from_outside(name):
    others = set(NAMES) - {name}
    for path in sorted((ROOT / name).rglob("*")):
        if path.suffix not in SOURCES:
            continue
        for target in INCLUDE.findall(path.read_text(errors="replace")):
            found = others & set(Path(target).parts)
            assert not found, f"{path.relative_to(ROOT)} includes {target}"


# The folders of common/. Each includes only itself and those before it.
ROOMS = ["machine", "files", "taskgraph", "sparse", "bench"]
PUBLIC = {
    str(path.relative_to(ROOT / "common" / room / "include")): room
    for room in ROOMS
    for path in (ROOT / "common" / room / "include").rglob("*.*")
}
PRIVATE = {  # keys are the names in #include
    str(path.relative_to(ROOT / "common" / room / "src"))
    for room in ROOMS
    for path in (ROOT / "common" / room / "src").rglob("*.hpp")
}


def includes_of(folder):
    """(file, included header, whether that is in the folder) for each #include below it."""
    own = {path for path in folder.rglob("*") if path.suffix in SOURCES}
    for path in sorted(own):
        for target in INCLUDE.findall(path.read_text(errors="replace")):
            is_own = (
                any(str(file).endswith(f"/{target}") for file in own)
                or (path.parent / target).resolve() in own
            )
            yield path.relative_to(ROOT), target, is_own


@pytest.mark.parametrize("name", [*(path.parent.name for path in DECLARATIONS), "datasets"])
def test_no_artifact_includes_a_private_header_of_common(name):
    for path, target, is_own in includes_of(ROOT / name):
        if target.startswith("gridloom/") and not is_own:
            assert target in PUBLIC, f"{path} includes {target}"
        # Only common/ calls HDF5 itself.
        assert not target.startswith("gridloom/files/hdf5_"), f"{path} includes {target}"
        assert is_own or target not in PRIVATE, f"{path} includes {target}"
        assert "common" not in Path(target).parts, f"{path} includes {target}"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_common_include_only_themselves_and_rooms_before_them(room):
    allowed = ROOMS[: ROOMS.index(room) + 1]
    for path, target, is_own in includes_of(ROOT / "common" / room):
        assert PUBLIC.get(target, room) in allowed, f"{path} includes {target}"
        assert is_own or target not in PRIVATE, f"{path} includes {target}"
        assert ".." not in Path(target).parts, f"{path} includes {target}"


def declared(tmp_path, text):
    path = tmp_path / "artifact.toml"
    path.write_text(text)
    return artifacts.read_artifact(path)


HEAD = 'name = "x"\ntitle = "X"\n'
RUN = '[runs.{0}]\ncommands = ["p -n 3"]\noutput = "x-{0}.h5"\n'
SMOKE = HEAD + RUN.format("smoke")
FIGURE = '[figures.x_f]\ndescription = "F"\n'


def test_a_run_may_use_an_experiment_and_a_figure_knows_its_script(tmp_path):
    head = HEAD + '[words]\nM = "x,y"\n'
    experiment = '[experiments.e]\neach = ["1", "2"]\ncommands = ["p -n {each} -m {M}"]\n'
    a = RUN.format("a") + 'files = { trace = "x-trace.h5" }\n[runs.a.table]\nvalues = ["ms"]\n'
    b = '[runs.b]\noutput = "b.h5"\ncommands = ["e -m z", "q -n 9"]\n'
    figures = FIGURE + 'results = ["b.h5", "x-trace.h5"]\n[figures.my_g]\ndescription = "G"\n'
    figures += 'results = []\nstored = "reference/a.h5"\nscript = "g.py"\nminutes = 2\n'
    artifact = declared(tmp_path, head + experiment + a + b + figures)
    first, second = artifact.runs
    assert (first.name, first.commands) == ("a", [["p", "-n", "3", "--quiet"]])
    assert (first.table.group, first.table.values) == ([], ["ms"])
    assert first.written == ["x-a.h5", "x-trace.h5"]
    assert second.programs == ["p", "q"] and second.commands == [
        ["p", "-n", "1", "-m", "z", "--quiet"],
        ["p", "-n", "2", "-m", "z", "--quiet"],
        ["q", "-n", "9", "--quiet"],
    ]
    from_runs, from_stored = artifact.figures
    assert from_runs.results == ["b.h5", "x-trace.h5"]
    assert from_stored.results == [] and from_stored.stored == ["reference/a.h5"]
    assert (from_stored.script, from_stored.minutes) == ("g.py", 2)
    [figure] = declared(tmp_path, SMOKE + FIGURE).figures
    assert figure.results == ["x-smoke.h5"] and figure.script == "scripts/plots/x/f.py"
    [figure] = declared(tmp_path, SMOKE + FIGURE.replace("x_f", "short_f")).figures
    assert figure.script == "scripts/plots/x/f.py"


WRONG = [
    ("name = ", "Invalid value"),
    ('name = "x"', "artifact: no key 'title'"),
    (HEAD, r"no \[runs\]"),
    (HEAD + "[[runs]]", r"runs: expected a table, got \[{}\]"),
    (HEAD + "[runs]\na = 1", "runs: expected tables with names"),
    (HEAD + '[runs.b]\noutput = "b.h5"', r"\[runs.b\]: no key 'commands'"),
    (HEAD + RUN.format("a") + "moon = 1", r"\[runs.a\]: unknown key 'moon'"),
    (HEAD + RUN.format("a").replace('["p -n 3"]', '"p"'), "commands: expected an array of them"),
    (HEAD + RUN.format("a") + 'files = "t.h5"', "files: expected a table, got 't.h5'"),
    (HEAD + RUN.format("a") + 'files = { trace = "a/t.h5" }', "name of a file, got 'a/t.h5'"),
    (HEAD + RUN.format("a") + "files = { trace = 1 }", "name of a file, got 1"),
    (HEAD + RUN.format("a") + "[runs.a.table]\nmoon = 1", "table: unknown key 'moon'"),
    (HEAD + RUN.format("a") + 'files = { trace = "x-a.h5" }', "two runs write 'x-a.h5'"),
    (HEAD + RUN.format("a") + RUN.format("b") + FIGURE, r"\[figures.x_f\]: no key 'results'"),
    (SMOKE + "[figures.x_f]", r"\[figures.x_f\]: no key 'description'"),
    (SMOKE + FIGURE + "moon = 1", r"\[figures.x_f\]: unknown key 'moon'"),
    (SMOKE + FIGURE + 'results = "y.h5"', r"\[figures.x_f\]: no run writes 'y.h5'"),
    (SMOKE + FIGURE + 'results = ["x-smoke.h5", "y.h5"]', "no run writes 'y.h5'"),
    (SMOKE + FIGURE + "results = []", "no run writes ''"),
    (SMOKE + FIGURE + "results = 1", "no run writes '1'"),
]


def test_wrong_declaration_is_named_in_one_line(tmp_path):
    for text, complaint in WRONG:
        with pytest.raises(artifacts.DeclarationError, match=complaint) as error:
            declared(tmp_path, text)
        assert "artifact.toml: " in str(error.value) and "\n" not in str(error.value), text


def test_reproduce_needs_the_programs_that_the_declarations_name(run_script):
    done = run_script("scripts/reproduce.py", "--list-programs")
    assert done.returncode == 0, done.stderr
    runs = [run for artifact in artifacts.read_all() for run in artifact.runs]
    assert done.stdout.split() == list(dict.fromkeys(name for run in runs for name in run.programs))


# --- new_artifact ---------------------------------------------------------------------------


def cmake_of(*folders):
    """A CMakeLists.txt with a list of artifacts and other folders around it."""
    own = "".join(f"add_subdirectory({name})\n" for name in folders)
    return f"""add_subdirectory(zero)

# The artifacts: each stands alone.
{own}
add_subdirectory(a_tool)
"""


@pytest.fixture
def repository(tmp_path, run_script):
    """A small repository with its own template: its root, and a function that runs new_artifact."""
    scripts = tmp_path / "scripts"
    nested = scripts / "template" / "include" / "template_artifact"
    nested.mkdir(parents=True)
    shutil.copy(ROOT / "scripts/new_artifact", scripts)
    (nested / "template_artifact_data.hpp").write_text("namespace template_artifact {}\n")
    (scripts / "template" / "artifact.toml").write_text('name = "template_artifact"\n')
    (tmp_path / "common").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(cmake_of("pets", "wavefront"))

    def run(*names):
        return run_script(scripts / "new_artifact", *names)

    return tmp_path, run


def test_new_artifact_renames_the_template_and_keeps_the_list_sorted(repository):
    root, run = repository
    cmake = root / "CMakeLists.txt"
    mode = cmake.stat().st_mode
    for name in ("my_work2", "zebra", "abacus"):
        done = run(name)
        assert done.returncode == 0 and f"--target {name}" in done.stdout, done.stderr
    header = root / "my_work2/include/my_work2/my_work2_data.hpp"
    assert header.read_text() == "namespace my_work2 {}\n"
    assert (root / "my_work2/artifact.toml").read_text() == 'name = "my_work2"\n'
    assert not [path for path in root.rglob("*template_artifact*") if "scripts" not in path.parts]
    assert not list(root.glob(".new_artifact*"))
    expected = cmake_of("abacus", "my_work2", "pets", "wavefront", "zebra")
    assert cmake.read_text() == expected and cmake.stat().st_mode == mode
    # The artifact is made again, while its line is still in the list.
    shutil.rmtree(root / "my_work2")
    assert run("my_work2").returncode == 0 and cmake.read_text() == expected


def test_new_artifact_needs_the_list_of_artifacts(repository):
    root, run = repository
    for text in ("add_subdirectory(common)\n", cmake_of("a") + cmake_of("b"), None):
        cmake = root / "CMakeLists.txt"
        cmake.write_text(text) if text else cmake.unlink()
        before = sorted(root.rglob("*"))
        done = run("my_work")
        assert done.returncode == 2 and "list of artifacts" in done.stderr
        assert done.stderr.count("\n") == 1 and sorted(root.rglob("*")) == before


def test_the_list_of_artifacts_is_in_order():
    lines = (ROOT / "CMakeLists.txt").read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("# The artifacts:")) + 1
    own = lines[begin : lines.index("", begin)]
    assert own == sorted(own)
    assert {f"add_subdirectory({path.parent.name})" for path in DECLARATIONS} == set(own)


def test_new_artifact_refuses_existing_and_ill_formed_names(repository):
    root, run = repository
    before = sorted(root.rglob("*"))
    names = ["common", "Bad", "9x", "a-b", "a b", "", "../x", "a__b", "x_", "build"]
    names += ["a" * 61, "A" * 60_000, "x\x1b[31my\n", "--x\x9b\n"]
    for words in ([], *([name] for name in names)):
        done = run(*words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, str(words)[:80]
        assert len(done.stderr) < 400 and done.stderr[:-1].isprintable(), str(words)[:80]
        assert sorted(root.rglob("*")) == before, str(words)[:80]


def test_a_fresh_copy_of_the_template_passes_the_script_tests(tmp_path):
    """The copy is made in another tree, so that nothing is added to this one."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    linked = ["pyproject.toml", "CMakePresets.json", "README.md", ".venv"]
    declared = [path.parent.name for path in DECLARATIONS]
    for name in [*linked, "common", "datasets", *declared]:
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    make = [sys.executable, tmp_path / "scripts/new_artifact", "my_work"]
    done = subprocess.run(make, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    # These read the declaration and the page of the copy.
    names = ("artifacts", "claims", "readme_commands")
    tests = [f"scripts/tests/test_{name}.py" for name in names]
    env = {key: value for key, value in os.environ.items() if key != "GRIDLOOM_PROGRAM_DIR"}
    # The copy's packages, not the installed ones.
    env["PYTHONPATH"] = os.pathsep.join(str(tmp_path / name) for name in ("scripts", "datasets"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", *tests, "-vv",
         "-k", "my_work"],
        capture_output=True, text=True, timeout=900, cwd=tmp_path, env=env,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("names_what_exists[my_work]", "in_their_order[my_work]",
                 "take_their_options[my_work/README.md]"):  # fmt: skip
        assert f"{name} PASSED" in done.stdout, done.stdout


@pytest.mark.parametrize("name", [path.parent.name for path in DECLARATIONS])
def test_a_published_folder_is_linked_and_includes_neither_ours_nor_rivals(name):
    library = ROOT / name / name.removeprefix("thesis_")
    assert library.is_dir()
    # A reader of the paper finds its algorithms from the README.
    page = (ROOT / name / "README.md").read_text()
    linked = set(re.findall(rf"\]\(({library.name}/[\w/]+\.[hc]pp)\)", page))
    assert len(linked) >= min(3, len(list(library.glob("*.hpp"))))
    assert all((ROOT / name / target).is_file() for target in linked)
    for path, target, _ in includes_of(library):
        assert not {"ours", "rivals"} & set(Path(target).parts), f"{path} includes {target}"

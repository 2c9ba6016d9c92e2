"""Tables and values of the pages are those of the stored results: nobody typed a number."""

import re
import subprocess

import h5py
import pytest

from conftest import ROOT
from gridloom.pages import (
    MARKER,
    STORED_FILES,
    Repository,
    declarations,
    filled,
    pages_of,
)
from gridloom.stored_files import NoHistory, changed_since, stored_files_table

FOLDERS = {"": [], **declarations()}
PAGES = [
    pytest.param(folder, path, id=str(path.relative_to(ROOT)))
    for folder in FOLDERS
    for path in pages_of(folder)
]


@pytest.fixture(scope="module")
def repository():
    return Repository()


@pytest.mark.parametrize(("folder", "page"), PAGES)
def test_a_page_shows_what_the_stored_results_give(repository, folder, page):
    assert not repository.missing(folder, page)
    assert repository.filled(folder, page) == page.read_text(encoding="utf-8")
    if repository.no_history and f"table {STORED_FILES} " in page.read_text(encoding="utf-8"):
        pytest.skip(f"{repository.no_history}; all but the table {STORED_FILES} was compared")


@pytest.mark.parametrize(
    ("folder", "one"),
    [pytest.param(f, one, id=f"{f}/{one.results}") for f, own in FOLDERS.items() for one in own],
)
def test_a_declared_file_fills_a_page(repository, folder, one):
    shown = "".join(path.read_text(encoding="utf-8") for path in pages_of(folder))
    names = {name for name in repository.texts[folder] if name.startswith(one.prefix)}
    assert names & set(MARKER.findall(shown)), f"no page of {folder} shows one of {sorted(names)}"


def test_a_changed_number_is_found_and_written(repository):
    page = (ROOT / "wavefront/README.md").read_text(encoding="utf-8")
    texts = repository.texts["wavefront"]
    name = MARKER.search(page)[1]
    start = page.index(f" {name} -->") + len(name) + 5
    digit = next(i for i in range(start, len(page)) if page[i].isdigit())
    other = page[:digit] + str((int(page[digit]) + 1) % 10) + page[digit + 1 :]
    assert filled(other, texts) == filled(page, texts) != other


def test_a_marker_that_nothing_fills_is_found(repository, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- value h200-moon -->1<!-- end --> and `<!-- table NAME -->`")
    assert repository.missing("wavefront", page) == ["h200-moon"]
    assert repository.filled("wavefront", page) == page.read_text()


def test_a_subset_of_the_pages_can_be_checked(run_script):
    done = run_script("scripts/tables/pages.py", "--check", "datasets")
    assert done.returncode == 0, done.stderr
    done = run_script("scripts/tables/pages.py", "--check", "moon")
    assert (done.returncode, done.stderr) == (2, "pages: moon: no artifact.toml or pages.toml\n")


SCRIPTS = sorted({one.script for tables in FOLDERS.values() for one in tables})


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_file_that_cannot_be_read_is_told_in_one_line(run_script, tmp_path, script):
    done = run_script(f"scripts/tables/{script}.py", tmp_path / "none.h5")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "none.h5: no such file" in done.stderr


# --- stored files -----------------------------------------------------------------------------


@pytest.fixture
def history(tmp_path):
    """A small repository; returns (its root, commit(message) that gives the commit's name)."""

    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", tmp_path, *identity, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(**files):
        for name, text in files.items():
            path = tmp_path / re.sub(r"_(cpp|hpp|md|txt)$", r".\1", name.replace("__", "/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", "a")
        return git("rev-parse", "HEAD")

    git("init", "-q")
    return tmp_path, commit


MACHINE = "common__machine__include__gridloom__"


def test_a_file_is_older_once_a_kernel_changes(history):
    root, commit = history
    header = {f"{MACHINE}m_hpp": '#include "gridloom/deep.hpp"'}
    first = commit(
        a__kernels__k_hpp='#include "gridloom/m.hpp"', b__k_hpp="1", **header,
        **{f"{MACHINE}{name}_hpp": "1" for name in ("deep", "other", "parse")},
    )  # fmt: skip
    assert changed_since(first, "a", root) is False
    commit(a__README_md="text", a__tests__k_hpp="1", b__k_hpp="2", **{f"{MACHINE}other_hpp": "2"})
    assert changed_since(first, "a", root) is False  # no kernel of a, nor what it includes
    second = commit(**{f"{MACHINE}deep_hpp": "2"})
    assert changed_since(first, "a", root) is True and changed_since(second, "a", root) is False
    commit(**{f"{MACHINE}deep_hpp": "1"})
    assert changed_since(first, "a", root) is False  # as it was
    (root / "a/kernels/k.hpp").write_text("not committed")
    assert changed_since(first, "a", root) is True
    (root / "a/kernels/k.hpp").write_text('#include "gridloom/m.hpp"')
    (root / "a/kernels/new.hpp").write_text("not committed")
    assert changed_since(first, "a", root) is True
    assert changed_since("0" * 40, "a", root) is None


@pytest.fixture
def two_programs(history):
    """An artifact of programs `main`, declared at its top, and `side`; see `history`."""
    root, commit = history
    commit(
        a__CMakeLists_txt="set(app apps/main)\ngridloom_program(main SOURCES ${app}/main.cpp)\n",
        a__apps__main__main_cpp='#include "own.hpp"\n#include "shared/s.hpp"',
        a__apps__main__own_hpp="1",
        a__apps__side__CMakeLists_txt="gridloom_program(side\n  SOURCES main.cpp LIBRARIES x)\n",
        a__apps__side__main_cpp='#include "own.hpp"\n#include "gridloom/m.hpp"',
        a__apps__side__own_hpp="1",
        a__shared__s_hpp="1",
        **{f"{MACHINE}m_hpp": "1"},
    )
    return root, commit


OLDER = [  # (a change, whether it makes what main measured old, and what side measured)
    pytest.param("a__apps__main__own_hpp", True, False, id="own"),
    pytest.param("a__apps__main__new_hpp", True, False, id="own, new"),
    pytest.param("a__apps__side__main_cpp", False, True, id="another's"),
    pytest.param("a__apps__side__new_hpp", False, True, id="another's, new"),
    pytest.param("a__shared__s_hpp", True, True, id="shared"),
    pytest.param("a__apps__new_hpp", True, True, id="shared, new"),
    pytest.param(f"{MACHINE}m_hpp", False, True, id="machine, that another's includes"),
]


@pytest.mark.parametrize(("change", "main", "side"), OLDER)
def test_a_file_depends_on_its_own_program(two_programs, change, main, side):
    root, commit = two_programs
    first = commit(a__README_md="text")
    commit(**{change: "2"})
    assert changed_since(first, "a", root, "main") is main
    assert changed_since(first, "a", root, "side") is side
    for unknown in ("profile", None):
        assert changed_since(first, "a", root, unknown) is True


@pytest.mark.parametrize(
    ("place", "name"),
    [
        pytest.param("apps__main__own_hpp", "../side/far.hpp", id="beside"),
        pytest.param("apps__main__own_hpp", "apps/side/far.hpp", id="in the artifact"),
        pytest.param("apps__main__own_hpp", "far.hpp", id="in an include directory"),
        pytest.param("shared__s_hpp", "far.hpp", id="by a shared header"),
    ],
)
def test_what_a_program_includes_of_another_counts(two_programs, place, name):
    root, commit = two_programs
    first = commit(a__apps__side__far_hpp="1", **{f"a__{place}": f'#include "{name}"'})
    assert changed_since(first, "a", root, "main") is False
    # The second is one that side's main.cpp includes.
    for header in ("a__apps__side__far_hpp", f"{MACHINE}m_hpp"):
        commit(**{header: "2"})
        assert changed_since(first, "a", root, "main") is True
        commit(**{header: "1"})
    commit(a__apps__side__far_cpp="what far.hpp declares")
    assert changed_since(first, "a", root, "main") is True


def test_a_folder_around_another_program_is_shared(two_programs):
    root, commit = two_programs
    first = commit(
        a__apps__main__deep__CMakeLists_txt="add_executable(deep deep.cpp)",
        a__apps__main__deep__deep_cpp="1",
    )
    commit(a__apps__main__main_cpp="2")
    for program in ("main", "side", "deep"):
        assert changed_since(first, "a", root, program) is True
    first = commit(a__apps__main__deep__deep_cpp="2")
    assert changed_since(first + "^", "a", root, "main") is False
    assert changed_since(first + "^", "a", root, "deep") is True


@pytest.mark.parametrize("by", ["apps__side__main_cpp", "apps__common_hpp", "apps__side__own_hpp"])
def test_a_header_beside_the_programs_counts_for_who_includes_it(two_programs, by):
    root, commit = two_programs
    chain = (
        {} if by == "apps__side__main_cpp" else {"a__apps__side__main_cpp": '#include "own.hpp"'}
    )
    if by == "apps__common_hpp":
        chain["a__apps__side__own_hpp"] = '#include "../common.hpp"'
    first = commit(a__apps__beside_hpp="1", **chain, **{f"a__{by}": '#include "apps/beside.hpp"'})
    commit(a__apps__beside_hpp="2")
    assert changed_since(first, "a", root, "main") is False
    assert changed_since(first, "a", root, "side") is True
    assert changed_since(first, "a", root) is True


def test_the_table_of_stored_files(history):
    root, commit = history
    first = commit(a__k_hpp="1")
    (root / "a/reference").mkdir()
    with h5py.File(root / "a/reference/r.h5", "w") as file:
        meta = file.create_group("meta")
        own = {
            "argv": "a",
            "commit": first,
            "dirty": "0",
            "gpu": "big",
            "cpu": "c",
            "date": "2026-01-02T03:04",
        }
        meta.attrs.update(own)
        meta.create_group("appended_1").attrs.update(own | {"dirty": "1"})
    table = stored_files_table("a", root)
    row = f"| `r.h5` | big | 2 | {first[:12]} and uncommitted changes | 2026-01-02 |"
    assert table.endswith(f"{row} no |")
    commit(a__k_hpp="2")
    assert stored_files_table("a", root).endswith(f"{row} yes |")
    assert stored_files_table("none", root) is None


def test_each_process_of_a_file_is_held_against_its_own_program(two_programs):
    root, commit = two_programs
    first = commit(a__README_md="text")
    second = commit(a__apps__side__own_hpp="2")
    (root / "a/reference").mkdir()
    with h5py.File(root / "a/reference/r.h5", "w") as file:
        meta = file.create_group("meta")
        meta.attrs.update({"commit": first, "program": "main"})
        meta.create_group("appended_1").attrs.update({"commit": second, "program": "side"})
    assert stored_files_table("a", root).endswith(" no |")
    with h5py.File(root / "a/reference/r.h5", "a") as file:
        file["meta"].create_group("appended_2").attrs.update({"commit": first, "program": "side"})
    assert stored_files_table("a", root).endswith(" yes |")


def test_without_history_the_table_is_not_made(tmp_path, history):
    root, commit = history
    commit(a__k_hpp="1")
    (root / "b/c/reference").mkdir(parents=True)
    (root / "b/c/reference/r.h5").touch()
    with pytest.raises(NoHistory, match="part of another checkout"):
        stored_files_table("c", root / "b")

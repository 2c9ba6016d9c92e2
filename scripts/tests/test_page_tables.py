"""Tables and values of the pages are those of the stored results: nobody typed a number."""

import re
import subprocess

import h5py
import pytest

from conftest import ROOT
from gridloom import stored_files
from gridloom.pages import (
    MARKER,
    STORED_FILES,
    Repository,
    declarations,
    filled,
    pages_of,
    table_module,
)
from gridloom.stored_files import NoHistory, changed_since, stale_banner, stored_files_table
from gridloom_datasets.errors import InputError

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
    pages = [*pages_of(folder), *pages_of()]
    shown = "".join(path.read_text(encoding="utf-8") for path in pages)
    names = {name for name in repository.texts[folder] if name.startswith(one.prefix)}
    assert names & set(MARKER.findall(shown)), f"no page of {folder} shows one of {sorted(names)}"


def test_a_changed_number_is_found_and_written(repository):
    page = (ROOT / "wavefront/README.md").read_text(encoding="utf-8")
    texts = repository.texts["wavefront"]
    name = next(name for name in MARKER.findall(page) if name != "stale-files")
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
    done = run_script("scripts/tables/pages.py", "--check", "pets")
    assert done.returncode == 0, done.stderr
    done = run_script("scripts/tables/pages.py", "--check", "moon")
    assert (done.returncode, done.stderr) == (2, "pages: moon: no artifact.toml\n")


MODULES = sorted({one.module for tables in FOLDERS.values() for one in tables})


@pytest.mark.parametrize("module", MODULES)
def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path, module):
    with pytest.raises(InputError, match="none.h5: no such file"):
        table_module(module).texts_of(tmp_path / "none.h5")


# --- stored files -----------------------------------------------------------------------------


def test_a_module_that_makes_no_tables_is_refused(run_script):
    for name in ("moon", "results"):
        done = run_script("scripts/tables/module.py", name, "r.h5")
        assert done.returncode == 2 and f"{name}: expected a module" in done.stderr


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
            path = tmp_path / re.sub(r"_(cpp|hpp|md|txt|cmake)$", r".\1", name.replace("__", "/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", "a")
        return git("rev-parse", "HEAD")

    git("init", "-q")
    return tmp_path, commit


MACHINE = "common__machine__include__gridloom__"


def stale(first, root, program="main"):
    stored_files.tree_at.cache_clear()
    stored_files.code_of.cache_clear()
    return changed_since(first, "a", root, program)


@pytest.fixture
def two_programs(history):
    """An artifact of programs `main`, declared at its top, and `side`; see `history`."""
    root, commit = history
    commit(
        a__CMakeLists_txt="set(app apps/main)\ngridloom_program(main SOURCES ${app}/main.cpp)\n",
        a__apps__main__main_cpp='#include "own.hpp"\n#include "shared/s.hpp"\nint main() { f(); }',
        a__apps__main__own_hpp="int own;",
        a__apps__side__CMakeLists_txt="gridloom_program(side\n  SOURCES main.cpp LIBRARIES x)\n",
        a__apps__side__main_cpp='#include "own.hpp"\n#include "gridloom/m.hpp"\nint main(){ m(); }',
        a__apps__side__own_hpp="1",
        a__shared__s_hpp="int shared; // as it is\nint f();\nint g();",
        a__ours__f_cpp='#include "shared/s.hpp"\nint f() { return 1; }',
        a__ours__g_cpp='#include "shared/s.hpp"\nint g() { return 1; }',
        **{
            f"{MACHINE}m_hpp": "void m();",
            "common__machine__src__launch_cpp": '#include "gridloom/m.hpp"\nvoid m() {}',
        },
    )
    return root, commit


CHANGES = [  # (a change, whether what main measured is stale, and what side measured)
    pytest.param({"a__apps__main__own_hpp": "2"}, True, False, id="own"),
    pytest.param({"a__apps__main__new_cpp": "2"}, True, False, id="new source in its folder"),
    pytest.param({"a__apps__side__main_cpp": "2"}, False, True, id="another program"),
    pytest.param({"a__shared__s_hpp": "int other;"}, True, False, id="header that it includes"),
    pytest.param({"a__shared__new_hpp": "2"}, False, False, id="header that nothing includes"),
    pytest.param({"a__ours__f_cpp": "int f();"}, True, False, id="source of a function"),
    pytest.param({"a__ours__g_cpp": "int g();"}, False, False, id="source of an unused one"),
    pytest.param({f"{MACHINE}m_hpp": "int n;"}, False, True, id="header in common"),
    pytest.param(
        {"common__machine__src__launch_cpp": "int n;"}, False, True, id="launches in common"
    ),
    pytest.param({"cmake__Toolchain_cmake": "add_compile_options(-O1)"}, True, True, id="flags"),
    pytest.param({"cmake__Toolchain_cmake": "# -O1\nmessage(a)"}, False, False, id="other CMake"),
    pytest.param(
        {"a__shared__s_hpp": "/* why */ int\n  shared;\nint f();\nint g();"},
        False, False, id="comments and space",
    ),
    pytest.param({"a__shared__s_hpp": 'auto s = "// as";'}, True, False, id="text in quotes"),
    pytest.param(
        {
            "a__other__t_hpp": "int shared;\nint f();\nint g();",
            "a__ours__f_cpp": '#include "other/t.hpp"\nint f() { return 1; }',
            "a__apps__main__main_cpp": '#include "other/t.hpp"\n'
            '#include "own.hpp"\nint main() { f(); }',
        },
        False, False, id="header that moved",
    ),
    pytest.param({"a__tests__own_hpp": "2", "a__README_md": "2"}, False, False, id="no code"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "main", "side"), CHANGES)
def test_a_file_is_stale_once_the_code_of_its_program_changes(two_programs, files, main, side):
    root, commit = two_programs
    first = commit(a__README_md="text")
    commit(**files)
    assert stale(first, root) is main
    assert stale(first, root, "side") is side
    # A script is held against all sources of the artifact.
    whole = main or side or "new_hpp" in str(files) or "g_cpp" in str(files)
    assert stale(first, root, "profile") is whole


def test_what_is_not_committed_counts_and_a_foreign_commit_is_none(two_programs):
    root, commit = two_programs
    first = commit(a__README_md="text")
    (root / "a/apps/main/own.hpp").write_text("int changed;")
    assert stale(first, root) is True
    (root / "a/apps/main/own.hpp").write_text("int own;")
    assert stale(first, root) is False
    (root / "a/apps/main/new.cpp").write_text("int new_one;")
    assert stale(first, root) is True and stale("0" * 40, root) is None


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
    assert table.endswith(f"{row} no |") and stale_banner("a", root) == ""
    commit(a__k_hpp="2")
    clear()
    assert stored_files_table("a", root).endswith(f"{row} yes |")
    assert "after the measurement of `r.h5`" in stale_banner("a", root)
    assert stored_files_table("none", root) is None


def clear():
    for cached in (stored_files.tree_at, stored_files.code_of, stored_files.rows_of):
        cached.cache_clear()


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
    clear()
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

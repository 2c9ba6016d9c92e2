"""Tables and values of the pages are those of the stored results: nobody typed a number."""

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
            path = tmp_path / name.replace("__", "/").replace("_hpp", ".hpp").replace("_md", ".md")
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


def test_without_history_the_table_is_not_made(tmp_path, history):
    root, commit = history
    commit(a__k_hpp="1")
    (root / "b/c/reference").mkdir(parents=True)
    (root / "b/c/reference/r.h5").touch()
    with pytest.raises(NoHistory, match="part of another checkout"):
        stored_files_table("c", root / "b")

"""The table `stored-files` of an artifact: where its reference files come from, and whether the
kernels have changed since.

A file is older than the kernels if the commit it was measured at differs from the working tree in
the artifact's sources (tests apart) or in a header of the machine that they include, directly or by
others. Two of those belong to programs, not to kernels: how options are read, and what bounds a
search on the host. The answer is yes or no and names no commit of today, so that it changes only
when it has to.
"""

import re
import subprocess
from pathlib import Path

import h5py

from gridloom.content import read_results
from gridloom.paths import ROOT
from gridloom.readme import NONE, table
from gridloom.results import PlotError
from gridloom_datasets.hdf5_text import attributes_of

HEADS = ["file", "machine", "processes", "commit", "date", "older than the kernels"]
SUFFIXES = ("hpp", "cpp", "cuh", "cu", "in")
SHARED = "common/machine/include"
OF_PROGRAMS = ("gridloom/parse.hpp", "gridloom/host_time_limit.hpp")  # in no kernel
INCLUDED = re.compile(r'^\s*#\s*include\s*[<"](gridloom/[^">]+)[">]', re.MULTILINE)
# Folders of an artifact that hold no kernels of its stored runs.
OUTSIDE = ("tests", "bench", "fuzz", "check", "compiler", "examples")


class NoHistory(Exception):
    """Why the history of this checkout cannot be asked."""


def git(root, *arguments):
    command = ["git", "-C", root, *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=300)
    except OSError as error:
        raise NoHistory(f"git: {error.strerror}") from error


def need_history(root=ROOT):
    """Raises NoHistory unless the checkout has all commits before its own."""
    inside = git(root, "rev-parse", "--show-prefix", "--is-shallow-repository")
    if inside.returncode != 0 or git(root, "rev-parse", "HEAD").returncode != 0:
        raise NoHistory(f"{root} is no git checkout with a commit")
    if inside.stdout.split() != ["false"]:  # a prefix: the tree lies in a checkout of another one
        raise NoHistory(f"{root} is a shallow clone or part of another checkout")


def sources_of(folder, root):
    """Files of an artifact that kernels are made of."""
    own = Path(root) / folder
    for suffix in SUFFIXES:
        for path in own.rglob(f"*.{suffix}"):
            if path.relative_to(own).parts[0] not in OUTSIDE:
                yield path


def headers_of(folder, root=ROOT):
    """The machine's headers that an artifact's sources include, sorted."""
    shared = Path(root) / SHARED
    found, todo = set(), list(sources_of(folder, root))
    while todo:
        for name in INCLUDED.findall(todo.pop().read_text(errors="replace")):
            if name not in found and name not in OF_PROGRAMS and (shared / name).is_file():
                found.add(name)
                todo.append(shared / name)
    return sorted(found)


def kernels_of(folder, root=ROOT):
    """Pathspecs of the sources whose change makes the results of an artifact old."""
    sources = [f"{folder}/*.{suffix}" for suffix in SUFFIXES]
    shared = [f"{SHARED}/{name}" for name in headers_of(folder, root)]
    outside = [f":(exclude){folder}/{name}/*" for name in OUTSIDE]
    return [*sources, *shared, *outside]


def changed_since(commit, folder, root=ROOT):
    """Whether the kernels differ from those of `commit`; None if it is no commit before this."""
    if git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        return None
    kernels = kernels_of(folder, root)
    changed = git(root, "diff", "--quiet", commit, "--", *kernels)
    edited = git(root, "status", "--porcelain", "--", *kernels)  # new files, too
    if changed.returncode > 1 or edited.returncode != 0:
        raise NoHistory(changed.stderr.strip() or edited.stderr.strip())
    return changed.returncode == 1 or bool(edited.stdout.strip())


def processes_of(path):
    """The attributes of every process that wrote to the file: /meta and the groups in it."""

    def read(file):
        meta = file["meta"]
        groups = [meta, *(item for item in meta.values() if isinstance(item, h5py.Group))]
        return [attributes_of(group) for group in groups]

    return read_results(path, read, PlotError)


def joined(texts):
    """Each once, in order; a dash for none."""
    found = [text for text in dict.fromkeys(texts) if text not in ("", "none", "None")]
    return ", ".join(found) or NONE


def row_of(path, folder, root=ROOT):
    processes = processes_of(path)
    commits = dict.fromkeys(str(meta.get("commit", "")) for meta in processes)
    commits = [commit for commit in commits if commit not in ("", "unknown")]
    dirty = {str(m.get("commit")) for m in processes if str(m.get("dirty", "0")) not in ("0", "")}
    changed = {changed_since(commit, folder, root) for commit in commits}
    parts = [str(processes[0].get(name, "none")) for name in ("gpu", "cpu")]
    machine = next((part for part in parts if part != "none"), NONE)
    if not commits:
        older = "its commit is not stored"
    elif True in changed:
        older = "yes"
    else:
        older = "its commit is not in the history" if None in changed else "no"
    return [
        f"`{Path(path).name}`",
        machine,
        str(len(processes)),
        joined(f"{c[:12]}{' and uncommitted changes' if c in dirty else ''}" for c in commits),
        joined(sorted({str(meta.get("date", ""))[:10] for meta in processes})),
        older,
    ]


def stored_files_table(folder, root=ROOT):
    """Markdown of all files in <folder>/reference, or None. Raises NoHistory."""
    paths = sorted((Path(root) / folder / "reference").glob("*.h5"))
    if not paths:
        return None
    need_history(root)
    return table(HEADS, [row_of(path, folder, root) for path in paths], left=len(HEADS))

"""The table `stored-files` of an artifact: where its reference files come from, and whether the
kernels have changed since.

A file is older than the kernels if the commit it was measured at differs from the working tree in
the sources of the program that wrote it or in a header of the machine that they include, directly
or by others. Two of those belong to programs, not to kernels: how options are read, and what bounds
a search on the host. The answer is yes or no and names no commit of today, so that it changes only
when it has to.

The sources of a program are all of its artifact (tests apart) without the folders of the other
programs. The folder of a program is where its first source in a CMakeLists.txt lies, if it is no
folder around another program's. It counts for others, too, once a source that counts for them
includes a header from it. All of it, because what the header declares may be defined in any file
there. Each process of a file is held against its own commit and its own program. Where that is none
of the artifact's CMakeLists.txt (a script, a peer, a profiler), all sources of the artifact count.
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
DECLARED = re.compile(  # a variable and its value, or a program and its first source
    r"^\s*(?:set\((\w+)\s+([^\s)]+)\)"
    r"|(?:gridloom_program|add_executable)\(\s*([\w-]+)\s+(?:SOURCES\s+)?([^\s)]+))",
    re.MULTILINE,
)
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
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


def sources_of(folder, root, without=()):
    """Files of an artifact that kernels are made of, but for those in the folders `without`."""
    own = (Path(root) / folder).resolve()
    for suffix in SUFFIXES:
        for path in own.rglob(f"*.{suffix}"):
            outside = path.relative_to(own).parts[0] in OUTSIDE
            if not outside and not any(other in path.parents for other in without):
                yield path


def programs_of(folder, root=ROOT):
    """{program: folder of its first source} of an artifact, tests apart."""
    own, found = (Path(root) / folder).resolve(), {}
    for path in sorted(own.rglob("CMakeLists.txt")):
        values = {}
        for name, value, program, source in DECLARED.findall(path.read_text(errors="replace")):
            if name:
                values[name] = value
                continue
            for variable in re.findall(r"\$\{(\w+)\}", source):
                source = source.replace(f"${{{variable}}}", values.get(variable, ""))
            first = (path.parent / source).resolve()
            if not first.is_file() or not first.is_relative_to(own):
                continue
            if first.relative_to(own).parts[0] not in OUTSIDE:
                found[program] = first.parent
    return found


def folders_of_others(folder, program, root=ROOT):
    """Folders of an artifact's other programs that this one includes nothing from, sorted.

    A quoted name is looked up beside the including file, in the artifact's folder, in the program's
    and in those of the others: CMake's include directories within an artifact are among these. An
    unknown program has no others.
    """
    programs = programs_of(folder, root)
    if program not in programs:
        return []
    artifact, own, folders = (Path(root) / folder).resolve(), programs[program], programs.values()
    around = {parent for one in folders for parent in one.parents}
    others = sorted({*folders} - {artifact, own} - around)
    places = [artifact, own, *others]
    todo = list(sources_of(folder, root, others))
    while todo:
        source = todo.pop()
        for name in QUOTED.findall(source.read_text(errors="replace")):
            found = (place / name for place in (source.parent, *places) if (place / name).is_file())
            header = next(found, artifact).resolve()
            for other in [one for one in others if one in header.parents]:
                others.remove(other)
                todo += [path for path in sources_of(folder, root) if other in path.parents]
    return others


def headers_beside(folder, root=ROOT, without=()):
    """Headers beside the folders of an artifact's programs that these sources include."""
    artifact, programs = (Path(root) / folder).resolve(), {*programs_of(folder, root).values()}
    around = {one.parent for one in programs} - {artifact, *programs}
    beside, found = {path for one in around for path in one.glob("*.hpp")}, set()
    todo = [path for path in sources_of(folder, root, without) if path not in beside]
    while todo:
        source = todo.pop()
        for name in QUOTED.findall(source.read_text(errors="replace")):
            places = (source.parent, artifact, *around)
            new = ({(place / name).resolve() for place in places} & beside) - found
            found |= new
            todo += new
    return found


def headers_of(folder, root=ROOT, without=()):
    """The machine's headers that these sources of an artifact include, sorted."""
    shared = Path(root) / SHARED
    found, todo = set(), list(sources_of(folder, root, without))
    while todo:
        for name in INCLUDED.findall(todo.pop().read_text(errors="replace")):
            if name not in found and name not in OF_PROGRAMS and (shared / name).is_file():
                found.add(name)
                todo.append(shared / name)
    return sorted(found)


def kernels_of(folder, root=ROOT, program=None):
    """Pathspecs of the sources whose change makes what a program of an artifact measured old."""
    artifact, others = (Path(root) / folder).resolve(), folders_of_others(folder, program, root)
    sources = [f"{folder}/*.{suffix}" for suffix in SUFFIXES]
    shared = [f"{SHARED}/{name}" for name in headers_of(folder, root, others)]
    names = [f"{name}/*" for name in (*OUTSIDE, *(one.relative_to(artifact) for one in others))]
    of_others = headers_beside(folder, root) - headers_beside(folder, root, others)
    names += sorted(one.relative_to(artifact) for one in of_others)
    return [*sources, *shared, *(f":(exclude){folder}/{name}" for name in names)]


def changed_since(commit, folder, root=ROOT, program=None):
    """Whether the kernels differ from those of `commit`; None if it is no commit before this.

    Those that `program` depends on, or without one all of the artifact.
    """
    if git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        return None
    kernels = kernels_of(folder, root, program)
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
    runs = dict.fromkeys((str(m.get("commit", "")), m.get("program")) for m in processes)
    runs = [(commit, program) for commit, program in runs if commit not in ("", "unknown")]
    commits = dict.fromkeys(commit for commit, _ in runs)
    dirty = {str(m.get("commit")) for m in processes if str(m.get("dirty", "0")) not in ("0", "")}
    changed = {changed_since(commit, folder, root, program) for commit, program in runs}
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

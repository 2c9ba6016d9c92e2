"""The table `stored-files` of an artifact: what its reference files come from, and what is stale.

A file is stale if the code that its program compiles has changed since the commit it was measured
at. That code is found in the tree of the commit and in the working tree, by the same walk: from all
sources in the folder of the program (the first source that its CMakeLists.txt names) over #include
to headers of the artifact and of common/, and from a header to the source of the same name, where
launches and copies are. Lines of CMake that choose flags count as well. Comments, white space,
includes and the names of files do not count, so that a file may move.

Each process of a file is compared with its own commit and its own program. If the artifact's
CMakeLists.txt do not know the program (a script, a peer, a profiler), all sources of the artifact
count.
"""

import functools
import hashlib
import re
import subprocess
from pathlib import Path, PurePosixPath

import h5py

from gridloom.paths import ROOT
from gridloom.readme import NONE, table
from gridloom.results import PlotError
from gridloom.results_file import read_results
from gridloom_datasets.hdf5_text import attributes_of

HEADS = ["file", "machine", "processes", "commit", "date", "stale"]
BANNER = (
    "> **Some numbers are stale.** The code behind {files} has changed since the measurement; "
    "the table of stored files names each."
)
SOURCES = (".hpp", ".cpp", ".cuh", ".cu", ".in")
BODIES = (".cpp", ".cuh", ".cu")
# Folders that are compiled into no program that measures.
OUTSIDE = {"tests", "bench", "fuzz", "check", "compiler", "examples"}
DECLARED = re.compile(  # a variable and its value, or a program and its first source
    r"^\s*(?:set\((\w+)\s+([^\s)]+)\)"
    r"|(?:gridloom_program|add_executable)\(\s*([\w-]+)\s+(?:SOURCES\s+)?([^\s)]+))",
    re.MULTILINE,
)
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">].*$', re.MULTILINE)
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|[\w.]+|\S', re.DOTALL
)
FLAGS = re.compile(
    r"compile_options|compile_definitions|FLAGS|BUILD_TYPE|_STANDARD|[\s\"]-[OfmW]\w"
)


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


@functools.cache
def files_at(root, commit):
    """{path: the name of its contents} of a commit."""
    listed = git(root, "ls-tree", "-r", commit)
    if listed.returncode != 0:
        raise NoHistory(listed.stderr.strip())
    lines = (line.split("\t", 1) for line in listed.stdout.splitlines())
    return {path: kinds.split()[2] for kinds, path in lines}


@functools.cache
def contents(root, names):
    """{name: text} of contents in the history, in one call of git."""
    command = ["git", "-C", root, "cat-file", "--batch"]
    done = subprocess.run(
        command, input="\n".join(names).encode(), capture_output=True, timeout=300
    )
    found, place, out = {}, 0, done.stdout
    for name in names:
        end = out.index(b"\n", place)
        size = int(out[place:end].split()[2])
        found[name] = out[end + 1 : end + 1 + size].decode(errors="replace")
        place = end + 1 + size + 1
    return found


def matters(path, folder):
    """Whether a file can be part of a program of an artifact, or declare its build."""
    parts = PurePosixPath(path).parts
    if path == "CMakeLists.txt" or parts[0] == "cmake":
        return path.endswith((".txt", ".cmake"))
    inside = parts[1:] if parts[0] == folder else parts[2:] if parts[0] == "common" else ()
    own = not OUTSIDE & {*inside[:1]} or parts[:2] == ("common", "bench")
    return bool(inside) and own and path.endswith((*SOURCES, "CMakeLists.txt"))


@functools.cache
def tree_at(root, folder, commit=None):
    """{path: text} of what matters to an artifact in a commit, or in the working tree."""
    if commit is None:
        listed = git(root, "ls-files", "--cached", "--others", "--exclude-standard").stdout
        paths = [path for path in dict.fromkeys(listed.splitlines()) if matters(path, folder)]
        files = {path: Path(root) / path for path in paths}
        return {p: file.read_text(errors="replace") for p, file in files.items() if file.is_file()}
    names = {p: name for p, name in files_at(root, commit).items() if matters(p, folder)}
    texts = contents(root, tuple(dict.fromkeys(names.values())))
    return {path: texts[name] for path, name in names.items()}


def programs_of(folder, tree):
    """{program: folder of its first source} of an artifact."""
    found = {}
    for path in sorted(path for path in tree if path.endswith("CMakeLists.txt")):
        values, here = {}, PurePosixPath(path).parent
        for name, value, program, source in DECLARED.findall(tree[path]):
            if name:
                values[name] = value
                continue
            for variable in re.findall(r"\$\{(\w+)\}", source):
                source = source.replace(f"${{{variable}}}", values.get(variable, ""))
            if f"{here / source}" in tree and here.parts[:1] == (folder,):
                found[program] = (here / source).parent
    return found


def compiled(folder, tree, program=None):
    """Paths of the sources that a program is made of; without one, those of all programs."""
    programs = programs_of(folder, tree)
    sources = {PurePosixPath(path) for path in tree if path.endswith(SOURCES)}
    own = programs.get(program, PurePosixPath(folder))
    nested = [one for one in {*programs.values()} - {own} if own in one.parents]
    if program not in programs:
        nested = []
    todo = [p for p in sources if own in p.parents and not any(n in p.parents for n in nested)]
    by_name, by_stem, found = {}, {}, set(todo)
    for path in sources:
        by_name.setdefault(path.name, []).append(path)
        by_stem.setdefault(path.stem, []).append(path)
    while todo:
        source = todo.pop()
        new = set()
        for name in INCLUDED.findall(tree[str(source)]):
            beside = source.parent / name
            if beside in sources:
                new.add(beside)
                continue
            parts = tuple(part for part in PurePosixPath(name).parts if part != "..")
            new |= {p for p in by_name.get(parts[-1], []) if p.parts[-len(parts) :] == parts}
        room = 2 if source.parts[0] == "common" else 1
        for path in by_stem[source.stem]:
            near = path.parent == source.parent or (
                room == 2 and path.parts[:2] == source.parts[:2]
            )
            if path.suffix in BODIES and near:
                new.add(path)
        todo += new - found
        found |= new
    return found


@functools.cache
def normal(text):
    """A name of the tokens of a source, without comments, includes and white space."""
    tokens = TOKEN.findall(INCLUDED.sub("", text))
    kept = "\n".join(one for one in tokens if not one.startswith(("//", "/*")))
    return hashlib.sha256(kept.replace("#\npragma\nonce\n", "").encode()).hexdigest()


def flags_of(tree):
    """Lines of CMake that choose flags, without comments."""
    lines = (line for p, text in tree.items() if p.endswith((".txt", ".cmake"))
             for line in text.splitlines())  # fmt: skip
    kept = (" ".join(line.split("#")[0].split()) for line in lines if FLAGS.search(line))
    return {line for line in kept if line}


@functools.cache
def code_of(root, folder, commit, program):
    """What a program of an artifact is compiled from, as a set that ignores names of files."""
    tree = tree_at(root, folder, commit)
    return {normal(tree[str(path)]) for path in compiled(folder, tree, program)} | flags_of(tree)


def changed_since(commit, folder, root=ROOT, program=None):
    """Whether the code differs from that of `commit`; None if it is no commit before this."""
    if git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        return None
    root = str(root)
    return code_of(root, folder, commit, program) != code_of(root, folder, None, program)


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


@functools.cache
def rows_of(folder, root=ROOT):
    paths = sorted((Path(root) / folder / "reference").glob("*.h5"))
    if paths:
        need_history(root)
    return [row_of(path, folder, root) for path in paths]


def stored_files_table(folder, root=ROOT):
    """Markdown of all files in <folder>/reference, or None. Raises NoHistory."""
    rows = rows_of(folder, root)
    return table(HEADS, rows, left=len(HEADS)) if rows else None


def stale_banner(folder, root=ROOT):
    """One sentence for the pages of an artifact that has stale files, else nothing."""
    rows = rows_of(folder, root)
    stale = [row[0] for row in rows if row[-1] == "yes"]
    if not stale:
        return ""
    count = "all stored files" if len(stale) == len(rows) else f"{len(stale)} stored files"
    return BANNER.format(files=", ".join(stale) if len(stale) < 3 else count)

"""The table `stored-files` of an artifact: where its reference files come from, and which are
stale.

A file is stale if the code of its program has changed since the commit at which it was measured.
That code is found in the same way in the tree of the commit and in the working tree. It begins with
all sources in the folder of the program (the first source that its CMakeLists.txt names). It
follows #include to headers of the artifact and of common/. From a header it goes, like a linker, to
the sources that define what the header declares and another source uses. Lines of CMake that choose
flags count as well. Comments, white space, includes and the names of files do not count, so that
files may move.

Each process of a file is compared with its own commit and its own program. If no CMakeLists.txt of
the artifact knows the program (a script, a peer, a profiler), all sources of the artifact count."""

import functools
import hashlib
import io
import re
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

import h5py

from gridloom.paths import ROOT
from gridloom.results import PlotError
from gridloom.results_file import read_results
from gridloom.text import NONE, table
from gridloom_datasets.hdf5_text import attributes_of

HEADS = ["file", "machine", "processes", "commit", "date", "stale"]
BANNER = (
    "> **{numbers} are older than the code**, which changed after the measurement of {files}; "
    "the table of stored files names each."
)
SOURCES = (".hpp", ".cpp", ".cuh", ".cu", ".in")
BODIES = (".cpp", ".cuh", ".cu")
LARGE = ("h5", "png", "svg")  # endings of files that are no code
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
DECLARING = re.compile(  # a function (if a member, its class), a class, or variables
    r"^(?!class |struct )[\w\[][^(\n;=]*?\b(\w+)(?:<[^(\n]*>)?(?:::~?\w+)?\("
    r"|^(?:class|struct) (?:alignas\(\w+\) )?(\w+)|^[\w:<>]+ (\w+(?:,\s+\w+)*);$",
    re.MULTILINE,
)
FLAGS = re.compile(
    r"compile_options|compile_definitions|FLAGS|BUILD_TYPE|_STANDARD|[\s\"]-[OfmW]\w"
)


class NoHistory(Exception):
    """The reason why this checkout has no usable history."""


def git(root, *arguments):
    command = ["git", "-C", root, *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=300)
    except OSError as error:
        raise NoHistory(f"git: {error.strerror}") from error


def need_history(root=ROOT):
    """Raises NoHistory unless the checkout has all its earlier commits."""
    inside = git(root, "rev-parse", "--show-prefix", "--is-shallow-repository")
    if inside.returncode != 0 or git(root, "rev-parse", "HEAD").returncode != 0:
        raise NoHistory(f"{root} is no git checkout with a commit")
    # A prefix is printed if the tree lies within another checkout.
    if inside.stdout.split() != ["false"]:
        raise NoHistory(f"{root} is a shallow clone or part of another checkout")


def matters(path, folder):
    """Whether a file can be part of a program of an artifact, or can declare its build."""
    parts = PurePosixPath(path).parts
    if path == "CMakeLists.txt" or parts[0] == "cmake":
        return path.endswith((".txt", ".cmake"))
    inside = parts[1:] if parts[0] == folder else parts[2:] if parts[0] == "common" else ()
    own = not OUTSIDE & {*inside[:1]} or parts[:2] == ("common", "bench")
    return bool(inside) and own and path.endswith((*SOURCES, "CMakeLists.txt"))


@functools.cache
def tree_at(root, folder, commit=None):
    """{path: text} of the files that matter to an artifact, in a commit or in the working tree."""
    if commit is None:
        listed = git(root, "ls-files", "--cached", "--others", "--exclude-standard").stdout
        paths = [path for path in dict.fromkeys(listed.splitlines()) if matters(path, folder)]
        files = {path: Path(root) / path for path in paths}
        return {p: file.read_text(errors="replace") for p, file in files.items() if file.is_file()}
    command = ["git", "-C", root, "archive", commit, ".", *(f":!*.{end}" for end in LARGE)]
    done = subprocess.run(command, capture_output=True, timeout=300)
    if done.returncode != 0:
        raise NoHistory(done.stderr.decode(errors="replace").strip())
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as tar:
        members = [one for one in tar if one.isfile() and matters(one.name, folder)]
        return {m.name: tar.extractfile(m).read().decode(errors="replace") for m in members}


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
    """Paths of the sources of a program; without a program, those of all programs."""
    programs = programs_of(folder, tree)
    sources = {PurePosixPath(path) for path in tree if path.endswith(SOURCES)}
    own = programs.get(program, PurePosixPath(folder))
    others = {*programs.values()} - {own, *own.parents} if program in programs else set()
    own_sources = {p for p in sources if not others & {*p.parents}}
    todo = [p for p in own_sources if own in p.parents]
    by_name = {}
    for path in sources:
        by_name.setdefault(path.name, []).append(path)

    @functools.cache
    def included(source):
        found = set()
        for name in INCLUDED.findall(tree[str(source)]):
            beside = source.parent / name
            if beside in sources:
                found.add(beside)
                continue
            parts = tuple(part for part in PurePosixPath(name).parts if part != "..")
            found |= {p for p in by_name.get(parts[-1], []) if p.parts[-len(parts) :] == parts}
        return found

    def reached(todo):
        found = set(todo)
        while todo:
            new = included(todo.pop()) - found
            todo += new
            found |= new
        return found

    # Like a linker: a body counts if it defines what a header declares and a source uses.
    bodies = {}
    for body in (path for path in own_sources if path.suffix in BODIES and path not in todo):
        room = body.parts[: 2 if body.parts[0] == "common" else 1]
        headers = {p for p in reached([body]) - {body} if p.parts[: len(room)] == room}
        names = declared_in(tree[str(body)])
        bodies[body] = {h: names & declared_in(tree[str(h)]) for h in headers}
    found, used = set(), set()
    while todo:
        found |= reached(todo)
        used.update(*(used_in(tree[str(path)]) for path in found))
        todo = []
        for body in bodies.keys() - found:
            declared = (names for header, names in bodies[body].items() if header in found)
            todo += [body] if any(names & used for names in declared) else []
    return found


@functools.cache
def declared_in(text):
    """Names of functions and classes that unindented lines declare or define."""
    found = " ".join(name for one in DECLARING.findall(text) for name in one)
    return {*re.findall(r"\w+", found)}


@functools.cache
def used_in(text):
    """Names in indented lines and in main()."""
    return {*re.findall(r"\w+", " ".join(re.findall(r"^(?: |int main).*", text, re.MULTILINE)))}


@functools.cache
def normal(text):
    """A hash of the tokens of a source, without comments, includes and white space."""
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
    """The code that a program of an artifact is compiled from, as a set without names of files."""
    tree = tree_at(root, folder, commit)
    return {normal(tree[str(path)]) for path in compiled(folder, tree, program)} | flags_of(tree)


def changed_since(commit, folder, root=ROOT, program=None):
    """Whether the code differs from that of `commit`. None if that is no commit before this one."""
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
    """Joins distinct texts in order; a dash if there are none."""
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
    """One sentence for the pages of an artifact with stale files, else nothing."""
    rows = rows_of(folder, root)
    stale = [row[0] for row in rows if row[-1] == "yes"]
    if not stale:
        return ""
    every = len(stale) == len(rows)
    count = "all stored files" if every else f"{len(stale)} stored files"
    files = ", ".join(stale) if len(stale) < 3 else count
    return BANNER.format(numbers="Numbers" if every else "Some numbers", files=files)

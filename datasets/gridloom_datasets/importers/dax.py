"""Pegasus DAX, versions 2 and 3: <adag> holds <job> elements (with <uses> for their files), then
<child> elements that list their <parent>s.

Costs are the runtimes. Only <child>/<parent> make edges; files that two jobs share do not. The
weight of an edge is the sum of the sizes of the files that the parent writes and the child reads.
Sizes are those that the parent states. In published files the reader often states another size,
which the summary reports. An edge without a common file has weight 0. Some published files have
negative sizes. They are refused with their count, or treated as 0 if negative_sizes is "zero".

expat is used directly, because it knows line numbers. Declarations of a document type or of
entities are refused as soon as they begin, because they can make an XML parser use up memory."""

import re
from xml.parsers import expat

from . import dag
from .quantities import microseconds, whole_number
from .source import quoted

MAX_DEPTH = 100
MAX_TOKEN_BYTES = 16 << 20  # expat holds a whole tag or comment in memory
MAX_VERSION = 16
PARENT_OF = {"job": "adag", "child": "adag", "uses": "job", "parent": "child"}
SUB_WORKFLOWS = ("dag", "dax")
_negative = re.compile(r"-0*[1-9][0-9]*")


class _Job:
    __slots__ = ("inputs", "line", "name", "outputs", "runtime_us")

    def __init__(self, name, runtime_us, line):
        self.name, self.runtime_us, self.line = name, runtime_us, line
        self.inputs, self.outputs = {}, {}  # file -> bytes


class _Parser:
    def __init__(self, source):
        self.source = source
        self.open = []  # local names of the elements that are open
        self.version = ""
        self.jobs = {}  # id -> _Job, in the order of the file
        self.claimed_jobs = None
        self.child = None
        self.edges = {}  # (parent id, child id) -> line
        self.negative, self.first_negative = 0, None  # number of negative sizes, line of the first
        # The encoding is set here, because expat would ask Python for codecs that the file names.
        self.expat = expat.ParserCreate("UTF-8", namespace_separator=" ")
        self.expat.StartElementHandler = self.start
        self.expat.EndElementHandler = lambda name: self.open.pop()
        self.expat.XmlDeclHandler = self.declaration
        self.expat.StartDoctypeDeclHandler = self.doctype

    def error(self, what):
        return self.source.error(what, self.expat.CurrentLineNumber)

    def run(self):
        fed = 0
        try:
            for chunk in self.source.chunks():
                fed += len(chunk)
                self.expat.Parse(chunk, False)
                if fed - self.expat.CurrentByteIndex > MAX_TOKEN_BYTES:
                    raise self.error(f"expected tags of at most {MAX_TOKEN_BYTES:,} bytes")
            self.expat.Parse(b"", True)
        except expat.ExpatError as error:
            what = f"expected well-formed XML, got {expat.ErrorString(error.code)}"
            raise self.source.error(what, error.lineno) from None

    def declaration(self, version, encoding, standalone):
        if encoding and encoding.upper() not in ("UTF-8", "US-ASCII"):
            raise self.error(f"expected the encoding UTF-8, got {quoted(encoding)}")

    def doctype(self, *_):
        raise self.error("expected no document type declaration, got <!DOCTYPE>")

    def start(self, full_name, attributes):
        name = full_name.rpartition(" ")[2]
        parent = self.open[-1] if self.open else None
        if (parent is None) != (name == "adag"):
            raise self.error(f"expected <adag> as the root only, got <{quoted(name)[1:-1]}>")
        if len(self.open) >= MAX_DEPTH:
            raise self.error(f"expected at most {MAX_DEPTH} elements in each other")
        self.open.append(name)
        if parent is None:
            self.start_root(attributes)
        elif name in PARENT_OF:
            if parent != PARENT_OF[name]:
                wanted, got = PARENT_OF[name], quoted(parent)[1:-1]
                raise self.error(f"expected <{name}> in <{wanted}>, got it in <{got}>")
            getattr(self, "start_" + name)(attributes)
        elif parent == "adag" and name in SUB_WORKFLOWS:
            raise self.error(f"expected <job>, got <{name}>: a workflow in it has no runtime")

    def need(self, attributes, element, *names):
        for name in names:
            if attributes.get(name):
                return attributes[name]
        raise self.error(f"expected the attribute {' or '.join(names)} in <{element}>, got none")

    def number(self, convert, text, what):
        return self.source.number(convert, text, what, self.expat.CurrentLineNumber)

    def start_root(self, attributes):
        self.version = attributes.get("version", "2")
        if not re.fullmatch(r"[23](\.[0-9]+)*", self.version) or len(self.version) > MAX_VERSION:
            raise self.error(f"expected version 2 or 3 of DAX, got {quoted(self.version)}")
        if "jobCount" in attributes:
            self.claimed_jobs = self.number(whole_number, attributes["jobCount"], "jobCount")

    def start_job(self, attributes):
        name = self.need(attributes, "job", "id")
        if problem := dag.bad_name(name):
            raise self.error(problem)
        if name in self.jobs:
            first = self.jobs[name].line
            raise self.error(f"expected a new id, got {quoted(name)} again (see line {first})")
        runtime = self.number(microseconds, self.need(attributes, "job", "runtime"), "runtime")
        self.current = self.jobs[name] = _Job(name, runtime, self.expat.CurrentLineNumber)

    def start_uses(self, attributes):
        # version 2 says file, version 3 name
        file = self.need(attributes, "uses", "file", "name")
        link = self.need(attributes, "uses", "link").lower()
        if link not in ("input", "output", "inout"):
            raise self.error(f"expected the link input, output or inout, got {quoted(link)}")
        text = self.need(attributes, "uses", "size")
        if _negative.fullmatch(text):
            self.negative += 1
            self.first_negative = self.first_negative or self.expat.CurrentLineNumber
            text = "0"
        size = self.number(whole_number, text, "size")
        for role, files in (("input", self.current.inputs), ("output", self.current.outputs)):
            if link in (role, "inout"):
                if file in files:
                    raise self.error(f"expected each {role} once, got {quoted(file)} again")
                files[file] = size

    def start_child(self, attributes):
        self.child = self.need(attributes, "child", "ref")

    def start_parent(self, attributes):
        edge = self.need(attributes, "parent", "ref"), self.child
        if edge in self.edges:
            raise self.error(f"expected each parent once, got {quoted(edge[0])} again")
        if edge[0] == edge[1]:
            raise self.error(f"expected another job as parent, got {quoted(edge[0])} itself")
        self.edges[edge] = self.expat.CurrentLineNumber


def read(source, negative_sizes=None):
    """Reads a DAX file into a checked Dag. negative_sizes: None or "zero". Raises InputError."""
    if negative_sizes not in (None, "zero"):
        raise source.error(f"expected negative_sizes=zero, got {quoted(negative_sizes)}")
    parser = _Parser(source)
    parser.run()
    if parser.negative and not negative_sizes:
        raise source.error(
            f"expected sizes of at least 0, got {parser.negative:,} negative, the first here "
            "(--option negative_sizes=zero takes them as 0)",
            parser.first_negative,
        )
    jobs = parser.jobs
    index = {name: k for k, name in enumerate(jobs)}
    edges, other_sizes, without_files = {}, set(), 0
    for (parent, child), line in parser.edges.items():
        for name in (parent, child):
            if name not in index:
                raise source.error(f"expected the id of a job, got {quoted(name)}", line)
        written, wanted = jobs[parent].outputs, jobs[child].inputs
        shared = written.keys() & wanted.keys()
        other_sizes.update(file for file in shared if written[file] != wanted[file])
        without_files += not shared
        edges[index[parent], index[child]] = sum(written[file] for file in shared)
    notes = []
    if parser.claimed_jobs not in (None, len(jobs)):
        notes.append(f"jobs by its jobCount: {parser.claimed_jobs:,}")
    if without_files:
        notes.append(f"edges without a common file (weight 0): {without_files:,}")
    if parser.negative:
        notes.append(f"negative sizes (taken as 0): {parser.negative:,}")
    if other_sizes:
        notes.append(f"files of another size at a reader (writer's taken): {len(other_sizes):,}")
    return dag.build(
        source, list(jobs), [job.runtime_us for job in jobs.values()], edges,
        units=("us", "byte"), attributes={"format": f"DAX {parser.version}"}, notes=notes,
    )  # fmt: skip

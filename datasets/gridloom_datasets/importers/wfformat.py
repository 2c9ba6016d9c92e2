"""WfFormat, the JSON of WfCommons: recorded executions of workflows.

Versions 1.5 and 1.6 are read: workflow.specification has tasks and files, workflow.execution has
the runtimes, and the ids of tasks join them. Version 1.4 is read, too: workflow.tasks has
everything, and names identify tasks. Earlier versions state runtimes and sizes without units and
are refused.

Costs are the recorded runtimes, each on the machine that ran the task. If all machines have speeds
and all tasks have a machine, both are kept, so that a scheduler can estimate times on other
machines. Otherwise the summary says what is missing. An edge counts if either end states it; the
summary reports missing counterparts. Its weight is the sum of the sizes of the files that the
parent writes and the child reads. Version 1.4 states sizes at each use, and the parent's counts."""

from . import dag
from .json_text import parse
from .quantities import json_whole_number, microseconds
from .source import quoted

# Memory holds the whole text, and its objects take about ten times as much.
MAX_BYTES = 256 << 20


class _Task:
    __slots__ = ("inputs", "machines", "node", "outputs", "runtime_us")

    def __init__(self, node):
        self.node, self.runtime_us = node, None
        self.machines = []  # names of the machines that ran the task
        self.inputs, self.outputs = {}, {}  # file -> bytes


def read(source):
    """Reads a WfFormat file into a checked dag.Dag; raises InputError."""
    source.max_bytes = min(source.max_bytes, MAX_BYTES)
    root = parse(source)
    version, workflow = root["schemaVersion"], root["workflow"]
    if version.text() in ("1.5", "1.6"):
        tasks = _read_split(workflow)
        machines = workflow["execution"].get("machines")
    elif version.text() == "1.4":
        tasks = _read_joined(workflow)
        machines = workflow.get("machines")
    else:
        raise version.error(f"expected WfFormat 1.4, 1.5 or 1.6, got {quoted(version.text())}")
    notes = []
    edges = _read_edges(tasks, notes)
    attributes = {"format": f"WfFormat {version.text()}"}
    if (name := root.get("name")) is not None and not dag.bad_name(name.text()):
        attributes["workflow"] = name.text()
    speeds_and_places = None
    if machines is not None:
        speeds = _read_machines(machines)
        if speeds:
            attributes["machines"] = len(speeds)
        notes.append(f"machines: {len(speeds)}")
        speeds_and_places, missing = _placed(tasks, speeds)
        if missing:
            notes.append(f"machines alike, as {missing}")
    return dag.build(
        source, list(tasks), [task.runtime_us for task in tasks.values()], edges,
        units=("us", "byte"), attributes=attributes, notes=notes, machines=speeds_and_places,
    )  # fmt: skip


def _read_machines(machines):
    """Returns {name: MHz, or None if the machine has no speed}. A repeated name counts once."""
    speeds = {}
    for k, node in enumerate(machines.items()):
        name = node.get("nodeName")
        cpu = node.get("cpu")
        # A rack, for example, may have no name or no processor.
        speed = cpu.get("speedInMHz") or cpu.get("speed") if cpu and cpu.value else None
        number = speed.number(json_whole_number, "a speed") if speed else 0
        speeds[name.text() if name else k] = number or None
    return speeds


def _placed(tasks, speeds):
    """Returns (speeds, machine of each task), or None and what is missing."""
    if len(speeds) < 2:
        return None, ""
    if None in speeds.values():
        return None, "their speeds are not stated"
    index = {name: k for k, name in enumerate(speeds)}
    places = [index.get(task.machines[0]) if len(task.machines) == 1 else None
              for task in tasks.values()]  # fmt: skip
    if None in places:
        return None, "tasks do not state one machine each"
    return (list(speeds.values()), places), ""


def _new(node, known, what):
    """The text of `node`, which must not be a known key."""
    name = node.text()
    if problem := dag.bad_name(name):
        raise node.error(problem)
    if name in known:
        raise node.error(f"expected a new {what}, got {quoted(name)} again")
    return name


def _known(node, known, what):
    if node.text() not in known:
        raise node.error(f"expected the {what}, got {quoted(node.text())}")
    return node.text()


def _read_split(workflow):
    """Reads versions 1.5 and 1.6. Returns {id: _Task} in the order of the specification."""
    specification, sizes, tasks = workflow["specification"], {}, {}
    if (files := specification.get("files")) is not None:
        for file in files.items():
            name = _new(file["id"], sizes, "file")
            sizes[name] = file["sizeInBytes"].number(json_whole_number, "a size")
    for node in specification["tasks"].items():
        task = tasks[_new(node["id"], tasks, "task")] = _Task(node)
        for key, used in (("inputFiles", task.inputs), ("outputFiles", task.outputs)):
            if (files := node.get(key)) is not None:
                for file in files.items():
                    name = _new(file, used, "file")
                    used[name] = sizes[_known(file, sizes, "id of a file in the specification")]
    for node in workflow["execution"]["tasks"].items():
        task = tasks[_known(node["id"], tasks, "id of a task in the specification")]
        if task.runtime_us is not None:
            raise node["id"].error(f"expected a new task, got {quoted(node['id'].text())} again")
        task.runtime_us = node["runtimeInSeconds"].number(microseconds, "a runtime")
        if (machines := node.get("machines")) is not None:
            task.machines = [machine.text() for machine in machines.items()]
    for name, task in tasks.items():
        if task.runtime_us is None:
            raise task.node.error(f"expected {quoted(name)} in workflow.execution.tasks, got none")
    return tasks


def _read_joined(workflow):
    """Reads version 1.4. Returns {name: _Task} in the order of the file."""
    tasks = {}
    for node in workflow["tasks"].items():
        task = tasks[_new(node["name"], tasks, "task")] = _Task(node)
        task.runtime_us = node["runtimeInSeconds"].number(microseconds, "a runtime")
        if (machine := node.get("machine")) is not None:
            task.machines = [machine.text()]
        if (files := node.get("files")) is not None:
            for file in files.items():
                link = file["link"].text()
                if link not in ("input", "output"):
                    raise file["link"].error(f"expected input or output, got {quoted(link)}")
                used = task.inputs if link == "input" else task.outputs
                name = _new(file["name"], used, "file")
                used[name] = file["sizeInBytes"].number(json_whole_number, "a size")
    return tasks


def _read_edges(tasks, notes):
    """Returns {(parent, child): bytes}, by index."""
    index = {name: k for k, name in enumerate(tasks)}
    by_parents, by_children = {}, {}
    keys = set()
    for name, task in tasks.items():
        for key, stated in (("parents", by_parents), ("children", by_children)):
            if (others := task.node.get(key)) is None:
                continue
            keys.add(key)
            for other in others.items():
                other_name = _known(other, tasks, "id of a task")
                pair = (other_name, name) if key == "parents" else (name, other_name)
                if pair[0] == pair[1]:
                    raise other.error(f"expected another task, got {quoted(name)} itself")
                if pair in stated:
                    raise other.error(f"expected each task once, got {quoted(other_name)} again")
                stated[pair] = None
    one_sided = len(by_parents.keys() ^ by_children.keys())
    # Before 1.5 children are optional. If no task lists them, no edge is contradicted.
    if one_sided and len(keys) == 2:
        notes.append(f"edges that one end states alone (taken): {one_sided:,}")
    edges = {}
    for parent, child in by_parents | by_children:
        written, wanted = tasks[parent].outputs, tasks[child].inputs
        shared = written.keys() & wanted.keys()
        edges[index[parent], index[child]] = sum(written[file] for file in shared)
    return edges

"""The page: the runs, the machines, and for each artifact its claims, numbers and figures."""

from html import escape
from pathlib import Path

from gridloom.claims import Sources
from gridloom.paths import ROOT
from gridloom.report.html import commands, figure, folded, link, name_of, prose, table
from gridloom.report.machine import commit_text, machine_of, machine_table
from gridloom.report.medians import run_section
from gridloom.report.verdicts import claims_list, counts, values_table
from gridloom.results import read_meta
from gridloom_datasets.files import write_text

# The page loads nothing from elsewhere, and this policy makes browsers enforce that.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = Path(__file__).with_name("style.css")
PARTS = {
    "claims": "Claims and verdicts",
    "numbers": "Paper, reference, here",
    "figures": "Figures",
    "medians": "Medians of the runs here",
    "commands": "Commands",
}


def meta_of(path):
    try:
        return read_meta(path)
    except OSError:
        return {}


def place(outcome, part):
    return name_of(f"{outcome.artifact.name} {part}")


# --- one artifact ----------------------------------------------------------------------------


def numbers_part(outcome, sources, results):
    rows = values_table(outcome, sources, results)
    if not rows:
        return ""
    return (
        f'<div class="values">{rows}</div>'
        '<p class="soft">Each row computes both numbers by one function from results files. In '
        "brackets: bootstrap 95 % intervals. What runs here is short and its inputs are small: it "
        "shows that everything works, not what the reference machine reaches. “Holds if” is how we "
        "read the claim: what the number of the reference has to be.</p>\n"
    )


def figures_part(outcome):
    drawn = {own.name: path for own, path in outcome.figures}
    parts = []
    for own in outcome.artifact.figures:
        stored = outcome.folder / "reference/figures" / f"{own.name}.png"
        images = [("reference, as stored", stored, "")] if stored.is_file() else []
        if own.name in drawn or images:
            images.append(("here", drawn.get(own.name), "not drawn here"))
            parts.append(figure(own.description, images))
    hint = '<p class="soft">A click on a figure enlarges it.</p>\n'
    return "".join([hint, *parts]) if parts else ""


def commands_part(outcome, results):
    name = outcome.artifact.name
    parts = [
        f"<p>All of this again: <code>scripts/reproduce --artifact {escape(name)} --force</code>. "
        "Commands for inputs of the paper's size: "
        f"{link(outcome.folder / 'README.md', results)}.</p>\n"
    ]
    for run, path in outcome.results:
        if run.output in outcome.commands:
            meta = meta_of(path) if path.is_file() else {}
            date = str(meta.get("date", "")).replace("T", " ").removesuffix("Z")
            about = ", ".join(filter(None, [run.name, date, commit_text(meta)]))
            parts.append(f'<p class="label">{prose(about)}</p>\n')
            parts.append(commands([outcome.commands[run.output]]))
    drawn = [outcome.commands[own.name] for own, _ in outcome.figures
             if own.name in outcome.commands]  # fmt: skip
    if drawn:
        parts.append(f'<p class="label">figures</p>\n{commands(drawn)}')
    return "".join(parts)


def artifact_section(outcome, sources, results):
    artifact = outcome.artifact
    runs = [(run.name, run_section(run, path)) for run, path in outcome.results if path.is_file()]
    parts = {
        "claims": claims_list(outcome.claims) if outcome.claims else "",
        "numbers": numbers_part(outcome, sources, results),
        "figures": figures_part(outcome),
        "medians": runs[0][1] if len(runs) == 1 else "".join(folded(*run) for run in runs),
        "commands": commands_part(outcome, results),
    }
    if outcome.notes:
        parts["figures"] += folded("What the plotting scripts say", commands([outcome.notes]))
    body = [f'<section id="{name_of(artifact.name)}"><h2>{escape(artifact.name)}</h2>\n']
    body.append(f"<p>{prose(artifact.title)}</p>\n")
    body += [f'<p class="failed">{escape(text)}</p>\n' for text in outcome.failures]
    if not outcome.results:
        body.append('<p class="none">Not run here.</p>\n')
    for part, text in parts.items():
        if text:
            title, is_open = PARTS[part], part not in ("medians", "commands")
            body.append(folded(title, text, place(outcome, part), is_open))
    return "".join(body) + "</section>\n", [part for part, text in parts.items() if text]


# --- all of them -----------------------------------------------------------------------------


def summary(outcomes):
    rows = []
    for outcome in outcomes:
        name = outcome.artifact.name
        state = "failed" if outcome.failures else "ok" if outcome.results else "not run"
        runs = sum(path.is_file() for _, path in outcome.results)
        rows.append([
            (f'<a href="#{name_of(name)}">{escape(name)}</a>',), outcome.artifact.title,
            (counts(outcome.claims),), state, f"{runs}", f"{len(outcome.figures)}",
            f"{outcome.seconds:.0f}" if outcome.results else "–",
        ])  # fmt: skip
    heads = ["artifact", "document", "claims", "here", "runs", "figures", "time of the runs, s"]
    return f'<div class="summary">{table(heads, rows, numbers=(4, 5, 6), about="summary")}</div>'


def contents(outcomes, parts):
    items = ['<li><a href="#summary">Summary</a></li>']
    for outcome, own in zip(outcomes, parts, strict=True):
        links = "".join(
            f'<li><a href="#{place(outcome, part)}">{escape(PARTS[part])}</a></li>' for part in own
        )
        name = outcome.artifact.name
        items.append(f'<li><a href="#{name_of(name)}">{escape(name)}</a><ul>{links}</ul></li>')
    items.append('<li><a href="#machine">Machine</a></li>')
    return f'<nav aria-label="contents"><ul>{"".join(items)}</ul></nav>\n'


def references_of(outcomes):
    """The /meta of each stored file that a claim reads."""
    names = [
        outcome.folder / "reference" / name
        for outcome in outcomes
        for claim in outcome.claims
        for quantity in claim.values
        for name in quantity.reference
    ]
    return [meta_of(path) for path in dict.fromkeys(names) if path.is_file()]


def in_order_of_readme(outcomes):
    """Sorts artifacts as the repository's README names their folders; others follow."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    places = {o.artifact.name: text.find(f"({o.artifact.name}/README.md)") for o in outcomes}
    return sorted(outcomes, key=lambda o: (places[o.artifact.name] < 0, places[o.artifact.name]))


def page_of(outcomes, results, kept):
    sources, outcomes = Sources(kept), in_order_of_readme(outcomes)
    sections = [artifact_section(outcome, sources, results) for outcome in outcomes]
    here = [meta_of(path) for o in outcomes for _, path in o.results if path.is_file()]
    machines = ", ".join(dict.fromkeys(machine_of(meta) for meta in here)) or "no results yet"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>Gridloom: {escape(machines)}</title>\n<style>\n"
        f'{STYLE.read_text(encoding="utf-8")}</style></head>\n<body><div class="frame"><header>'
        f"<h1>Gridloom on this machine</h1>\n<p>{escape(machines)}. Short runs of every artifact, "
        "beside what its document claims and what was measured on a reference machine.</p>"
        f"</header>\n{contents(outcomes, [parts for _, parts in sections])}<main>\n"
        f'<section id="summary"><h2>Summary</h2>\n{summary(outcomes)}</section>\n'
        f"{''.join(text for text, _ in sections)}"
        '<section id="machine"><h2>Machine</h2>\n'
        f"{machine_table(here, references_of(outcomes))}"
        '<p class="soft">Copy, reading, launch, signal and atomic operation are floors. Every '
        "program measures them before it runs; the least and the most of all runs stand here.</p>"
        "</section>\n"
        "</main></div></body></html>\n"
    )


def write_report(path, outcomes, kept):
    """Writes the page under a temporary name and renames it, so that no reader sees half a report.

    `kept` has Stamps of values that earlier calls computed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    page = page_of(outcomes, path.parent, kept)
    write_text(path, page)

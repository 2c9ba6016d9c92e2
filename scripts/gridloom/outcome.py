"""The results of scripts/reproduce for one artifact, kept for the reports of later calls."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    """The results for one artifact. The report is written from a list of these."""

    artifact: object
    folder: Path  # the artifact's folder, which contains reference/
    claims: list = field(default_factory=list)
    results: list = field(default_factory=list)  # (Run, path of its output, which may not exist)
    figures: list = field(default_factory=list)  # (Figure, path of the PNG)
    # Output or figure -> the command as a user types it.
    commands: dict = field(default_factory=dict)
    seconds: float = 0.0
    failures: list = field(default_factory=list)  # one line each
    notes: str = ""  # what the plotting scripts print besides file names

    @property
    def stamp(self):
        return f"{self.artifact.name}/"  # no file has such a name

    def keep(self, stamps):
        """Stores the facts that no stamp of a run or figure has."""
        stamps.set(self.stamp, "", [], failures=self.failures, commands=self.commands)

    def restore(self, stamps, results, figures):
        """Restores the results of an earlier call; does nothing if there was none.

        The output of a failed run counts, as it does in the report of its own call."""
        if (own := stamps.get(self.stamp)) is None:
            return
        self.failures, self.commands = own["failures"], own["commands"]
        self.results = [(run, results / run.output) for run in self.artifact.runs]
        for run in self.artifact.runs:
            if stamp := stamps.get(run.output):
                self.seconds += stamp["seconds"]
        for figure in self.artifact.figures:
            path = figures / f"{figure.name}.png"
            if path.is_file() and (stamp := stamps.get(figure.name)):
                self.figures.append((figure, path))
                self.notes += stamp["notes"]

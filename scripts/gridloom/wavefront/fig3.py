"""The charts of Fig. 3 of Kartsaklis et al.: one dot per arm."""

from gridloom.charts import dot_chart
from gridloom.wavefront.data import DOT_PARTS, family_of, fig3_dots, name_of

# The figures of the paper are quoted in a note, not drawn.
PAPER = "From the paper: Kepler K20X, 220 blocks of 32 threads, 10,000 × 10,000 no-op tasks:\n"


def chart(runs, counters, samples_of, title, xlabel, value_text, paper):
    """One part of Fig. 3. `counters` is 1 for the counting build, else 0. `paper` has the paper's
    numbers."""
    dots = fig3_dots(runs, counters, samples_of)
    return dot_chart(
        dots, f"Wavefront: {title}", xlabel, value_text, DOT_PARTS, family_of, name_of,
        PAPER + paper,
    )  # fmt: skip

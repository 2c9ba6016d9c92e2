"""Times of the fastest rival over those of the fastest schedulers inside the GPU, by case."""

import pandas as pd

from gridloom.results import PlotError
from gridloom.schedulers.data import INSIDE, cases, fastest


def ratios_of(rows):
    """One row per case and family: the case, `by`, `scheduler`, `rival`, and `ratio`, how many
    times as fast as the fastest rival."""
    best = fastest(cases(rows))
    if "rival" not in best or not set(INSIDE) & set(best):
        raise PlotError("expected rivals and schedulers inside the GPU in the same file")
    rivals, found = best["rival"], []
    for by in INSIDE:
        if by not in best:
            continue
        own = best[by].join(rivals[["elapsed_ms", "scheduler"]], rsuffix="_rival", how="inner")
        own = own.rename(columns={"scheduler_rival": "rival"})
        found.append(own.assign(ratio=own["elapsed_ms_rival"] / own["elapsed_ms"]).reset_index())
    return pd.concat(found, ignore_index=True)

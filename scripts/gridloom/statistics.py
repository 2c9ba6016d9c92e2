"""Statistics of samples: medians with bootstrap intervals, and where a curve crosses a level."""

import numpy as np


def median_interval(samples, resamples=2000):
    """Median and bootstrap 95 % interval (percentile method, fixed seed) as three floats."""
    samples = np.asarray(samples, dtype=float)
    median = float(np.median(samples))
    if len(samples) < 2:
        return median, median, median
    picks = np.random.default_rng(1).integers(0, len(samples), (resamples, len(samples)))
    # Between two infinite medians nothing can be interpolated.
    method = "linear" if np.isfinite(samples).all() else "nearest"
    low, high = np.percentile(np.median(samples[picks], axis=1), [2.5, 97.5], method=method)
    return median, float(low), float(high)


def median_ratio(over, under, resamples=2000):
    """Ratio of two medians and its bootstrap 95 % interval (as above) as three floats."""
    over, under = (np.asarray(samples, dtype=float) for samples in (over, under))
    ratio = float(np.median(over) / np.median(under))
    if len(over) < 2 and len(under) < 2:
        return ratio, ratio, ratio
    random = np.random.default_rng(1)
    again = [
        np.median(samples[random.integers(0, len(samples), (resamples, len(samples)))], axis=1)
        for samples in (over, under)
    ]
    low, high = np.percentile(again[0] / again[1], [2.5, 97.5])
    return ratio, float(low), float(high)


def log_crossing(x, y, level):
    """Where y rises through `level` for the last time, interpolated linearly in log x.

    x ascends. Returns x[0] if y never is below the level, None if the last y is.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    below = np.flatnonzero(y < level)
    if len(y) == 0 or (len(below) and below[-1] == len(y) - 1):
        return None
    if len(below) == 0:
        return float(x[0])
    i = below[-1]
    share = (level - y[i]) / (y[i + 1] - y[i])
    return float(np.exp(np.log(x[i]) + share * (np.log(x[i + 1]) - np.log(x[i]))))

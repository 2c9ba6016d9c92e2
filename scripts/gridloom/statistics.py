"""Statistics of samples: medians with bootstrap intervals, means, where a curve crosses a level."""

import numpy as np

RESAMPLES = 2000


def resampled_medians(samples, random):
    """Medians of RESAMPLES samples drawn with replacement by a generator of random numbers."""
    picks = random.integers(0, len(samples), (RESAMPLES, len(samples)))
    return np.median(samples[picks], axis=1)


def ends(again):
    """The 95 % interval of resampled values as two floats (percentile method)."""
    # Between two infinite medians nothing can be interpolated.
    method = "linear" if np.isfinite(again).all() else "nearest"
    return tuple(map(float, np.percentile(again, [2.5, 97.5], method=method)))


def median_interval(samples):
    """Median and bootstrap 95 % interval (fixed seed) as three floats."""
    samples = np.asarray(samples, dtype=float)
    median = float(np.median(samples))
    if len(samples) < 2:
        return median, median, median
    return median, *ends(resampled_medians(samples, np.random.default_rng(1)))


def median_ratio(over, under):
    """Ratio of two medians and its bootstrap 95 % interval (as above) as three floats."""
    over, under = (np.asarray(samples, dtype=float) for samples in (over, under))
    ratio = float(np.median(over) / np.median(under))
    if len(over) < 2 and len(under) < 2:
        return ratio, ratio, ratio
    random = np.random.default_rng(1)
    again = [resampled_medians(samples, random) for samples in (over, under)]
    return ratio, *ends(again[0] / again[1])


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(list(values)))))


def log_crossing(x, y, level):
    """The x at which y rises through `level` for the last time, interpolated linearly in log x.

    x must ascend. Returns x[0] if y is never below the level, and None if the last y is."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    below = np.flatnonzero(y < level)
    if len(y) == 0 or (len(below) and below[-1] == len(y) - 1):
        return None
    if len(below) == 0:
        return float(x[0])
    i = below[-1]
    share = (level - y[i]) / (y[i + 1] - y[i])
    return float(np.exp(np.log(x[i]) + share * (np.log(x[i + 1]) - np.log(x[i]))))

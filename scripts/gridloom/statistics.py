"""Statistics of samples: medians with bootstrap intervals, and means."""

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

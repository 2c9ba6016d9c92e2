"""The process that reads an HDF5 file: signals that say nothing of the file, and extents that the
file cannot hold."""

import itertools
import os
import resource
import signal

import h5py
import numpy as np
import pytest

from gridloom_datasets import hdf5
from gridloom_datasets.errors import InputError
from gridloom_datasets.hdf5_checks import starts_of
from gridloom_datasets.hdf5_copy import contents_of

BY_OTHERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]


@pytest.fixture
def path(tmp_path):
    with h5py.File(tmp_path / "r.h5", "w") as file:
        file["values"] = [1, 2]
    return tmp_path / "r.h5"


def read_under_signal(path, number, handler):
    """What is read by a child that the signal reaches, of a parent that has this handler of it."""

    def read(file):
        os.kill(os.getpid(), number)
        return file["values"][0]

    before = signal.signal(number, handler)
    try:
        return hdf5.read_apart(path, read)
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", BY_OTHERS)
def test_a_child_ignores_what_its_parent_ignores(path, number):
    assert read_under_signal(path, number, signal.SIG_IGN) == 1


@pytest.mark.parametrize("number", BY_OTHERS)
def test_a_child_that_others_end_is_no_damaged_file(path, number):
    expected = f"r.h5: the process that reads it was ended by {number.name}$"
    for handler in (signal.SIG_DFL, lambda *_: None):
        with pytest.raises(InputError, match=expected):
            read_under_signal(path, number, handler)


def test_a_child_that_dies_is_a_damaged_file(path):
    with pytest.raises(InputError, match=r"damaged HDF5 file$"):
        read_under_signal(path, signal.SIGSEGV, signal.SIG_DFL)


@pytest.mark.parametrize("shape", [(2**40,), (2**20, 2**20), (2**60, 0)])
def test_more_than_the_file_holds_is_refused_before_memory_is_taken(tmp_path, shape):
    """Chunks of one value each, of which none was written, as a damaged extent claims them."""
    path, most = tmp_path / "r.h5", 2**32
    with h5py.File(path, "w") as file:
        growing = {"maxshape": (None,) * len(shape), "chunks": (1,) * len(shape)}
        file.create_dataset("values", shape, "u1", compression="gzip", **growing)

    def read(file):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        return contents_of(file, path)

    if 0 in shape:
        assert hdf5.read_apart(path, read)[1].values.shape == shape
    else:
        told = f"r.h5: /values: claims {2**40} entries, more than the file holds"
        with pytest.raises(InputError, match=told):
            hdf5.read_apart(path, read)


def test_an_extent_with_a_chunk_beside_nothing_is_refused(tmp_path):
    path = tmp_path / "r.h5"
    with h5py.File(path, "w") as file:
        data = file.create_dataset("values", (100,), "u1", maxshape=(None,), chunks=(100,))
        data[...] = np.ones(100, "u1")
        data.resize((1 << 40,))
    with pytest.raises(InputError, match="claims 1099511627776 entries"):
        hdf5.read_apart(path, lambda file: contents_of(file, path))


def test_every_chunk_is_named_one_after_another():
    assert list(starts_of((3, 2), (2, 1))) == [(0, 0), (0, 1), (2, 0), (2, 1)]
    assert list(itertools.islice(starts_of((2**60,), (4,)), 2)) == [(0,), (4,)]
    assert list(starts_of((2**60, 0), (1, 1))) == []

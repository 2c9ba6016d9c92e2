"""What the tables of tiled-qr's runs make of known rows."""

from conftest import write_results
from gridloom.tiled_qr.tables import texts_of

# One row of /runs.
RUN = {
    "arm": "fr1", "method": "fr1", "input": "random", "precision": "double", "rows": 512,
    "cols": 512, "tile": 64, "blocks": 1, "threads": 1, "backend": "host", "batch": 1,
    "q": "implicit", "elapsed_ms": 8.0, "end_to_end_ms": 9.0, "extra_bytes": 10,
    "matrix_bytes": 1000, "registers": -1, "shared_bytes": -1, "chains": -1, "status": "ok",
    "verified": "yes", "process": 0,
}  # fmt: skip


def runs(method, ms, **values):
    return [RUN | {"arm": method, "method": method, "elapsed_ms": ms} | values for _ in range(3)]


def test_two_workers_are_held_against_one_together_and_by_process(tmp_path):
    rows = [
        *runs("fr1", 8.0), *runs("fr2", 4.0), *runs("lapack", 2.0),
        *runs("fr1", 8.0, process=1), *runs("fr2", 5.0, process=1),
        # A process that has one of them only does not count.
        *runs("fr2", 80.0, process=2, rows=64, cols=64), *runs("householder", 90.0, process=2),
    ]  # fmt: skip
    texts = texts_of(write_results(tmp_path / "r.h5", rows, RUN))
    assert texts["fr2-over-fr1-512-512"].startswith("1.78 [1.6, 2")
    assert texts["fr2-over-fr1-processes-512-512"] == "1.6 to 2"
    assert texts["fr1-of-lapack-512-512"] == "25 %"
    assert "fr2-over-fr1-64-64" not in texts


def test_memory_is_a_table_and_the_number_of_chains_a_value(tmp_path):
    rows = [
        *runs("gram_panels", 1.0, chains=19, extra_bytes=150), *runs("cusolver", 3.0),
        *runs("gram_panels", 1.0, precision="float", chains=19, extra_bytes=250),
    ]  # fmt: skip
    texts = texts_of(write_results(tmp_path / "r.h5", rows, RUN))
    assert texts["memory"].splitlines()[2:] == [
        "| 512² | double | 15 % |",
        "| 512² | float | 25 % |",
    ]
    assert texts["gram_panels-chains-512-512"] == "19"

"""scripts/peers/quicksched.py with a stand-in for the compiler, whose program prints as theirs."""

import os

import numpy as np
import pytest

from program_under_test import columns_of, write_program

COMPILER = """[ "$1" = --version ] && exit
[ "$FAKE" = broken ] && echo "qr.c:1: error" >&2 && exit 1
cat > "${@: -1}" <<'END'
#!/bin/bash
[ "$FAKE" = hang ] && exec sleep 600
printf 'test_qr: total nr of %s.\\n' "tasks: 1144${FAKE:-0}" "deps: 32240" "locks: 21856"
for ((k = 0; k < ${10}; k++)); do echo "test_qr: ${k}th run took $((k + 1))500000 ticks..."; done
echo "test_qr: costs: setup=250000 ticks, run=1 ticks."
[ "$FAKE" != crash ]
END
chmod +x "${@: -1}" """
STATUS = {"": "ok", "1": "wrong", "hang": "timeout", "crash": "failed", "broken": "", "lost": ""}


@pytest.mark.parametrize("how", STATUS)
def test_each_run_is_a_row_with_its_status(tmp_path, run_script, monkeypatch, how):
    write_program(tmp_path / "bin/gcc", COMPILER)
    for name in ("examples/test_qr.c", "src/qsched.c", "src/queue.c"):
        write_program(tmp_path / name, "")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE", how)
    options = ["--output", tmp_path / "r.h5", "--repeat", 2, "--threads", 7, "--timeout", 1]
    clone = tmp_path / "bin" if how == "lost" else tmp_path
    done = run_script("scripts/peers/quicksched.py", clone, *options)
    assert done.returncode == {"": 0, "lost": 2}.get(how, 1), done.stderr
    assert done.stderr.count("\n") == (not STATUS[how]), done.stderr
    if STATUS[how]:
        runs = columns_of(tmp_path / "r.h5", "runs")
        assert set(runs["status"]) == {STATUS[how]} and set(runs["workers"]) == {7}
        times = [1.5, 2.5] if STATUS[how] in ("ok", "wrong") else [np.nan]
        np.testing.assert_array_equal(runs["elapsed_ms"], times * 2)
        assert list(runs["rows"]) == [2048] * len(times) + [32] * len(times)
        assert set(runs["uses"]) == ({-1} if how == "hang" else {21856})

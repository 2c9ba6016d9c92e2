"""The program tiled-tasks from outside: exit codes, messages, the files it writes."""

PROGRAM = "tiled-tasks"
SMALL = ["--backend", "host", "--workers", "2", "--rows", "50", "--repeat", "2", "--quiet"]

# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "--rows 8,8": "--rows: 8 is given twice",
    "--tile 65": "64",
    "--rows 2000 --tile 2": "512",
    "--rows 2000000 --tile 64": "memory",
    "--client example --rows 2000000": "chunks",
    "--method lapack --client example": "--method lapack",
    "--client qr --updates any-order": "--updates",
    "--client example --tile 4": "--tile",
    "--method serial --priority none": "--priority",
    "--method serial --classes 4": "--classes",
    "--classes 33": "32",
    "--timeout-s 5 --method waves": "--timeout-s: nothing can stop waves while it runs",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_every_client_is_verified_under_every_method(measured):
    runs = measured(
        *SMALL, "--tile", 16, "--client", "qr,cholesky,example", "--updates", "in-order,any-order",
        "--priority", "critical-path,none", silent=True,
    )  # fmt: skip
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    by_tasks = runs["method"] != "lapack"
    assert (runs["tasks"] == runs["executed"])[by_tasks].all()
    for client, tasks in (("qr", 30), ("cholesky", 20), ("example", 101)):
        assert set(runs["tasks"][by_tasks & (runs["client"] == client)]) == {tasks}
    scheduled = runs["method"] == "general"
    assert set(runs["priority"][scheduled]) == {"critical-path", "none"}
    assert set(runs["classes"][scheduled & (runs["priority"] == "none")]) == {1}
    assert (runs["classes"][scheduled & (runs["priority"] == "critical-path")] > 1).all()
    any_order = runs["updates"] == "any-order"
    assert (runs["uses"][any_order & by_tasks] > 0).all()
    assert set(runs["uses"][(runs["client"] == "cholesky") & ~any_order]) == {0}
    residuals = runs["residual"][(runs["client"] == "cholesky") & by_tasks]
    assert (residuals > 0).all() and (residuals < 30).all()
    assert set(runs["launches"][scheduled]) == {1}
    assert (runs["launches"][runs["method"] == "waves"] > 1).all()
    assert set(runs["workers"][runs["method"] == "waves"]) == {2}
    assert all(runs["blas_core"][~by_tasks]) and not any(runs["blas_core"][by_tasks])

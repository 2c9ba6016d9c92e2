"""Archives: one file is taken out, and no size in the archive is trusted."""

import gzip
import io
import resource
import tarfile

import pytest

from datasets_scene import archive, noise
from gridloom_datasets import archive as under_test
from gridloom_datasets.archive import unpack_matrix
from gridloom_datasets.errors import FetchError, Rejected

GOOD = ("m/m.mtx", b"good")


def special(name, kind, link=""):
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return member, b""


@pytest.fixture
def unpack(tmp_path):
    """Unpacks bytes into m.mtx and returns its contents. Checks that no other file is touched."""

    def run(data, limit=1000):
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        (folder / "m.mtx").unlink(missing_ok=True)
        (tmp_path / "m.tar.gz").write_bytes(data)
        try:
            unpack_matrix(tmp_path / "m.tar.gz", "m", folder / "m.mtx", limit)
        finally:
            assert {path.name for path in tmp_path.rglob("*")} <= {"work", "m.tar.gz", "m.mtx"}
        return (folder / "m.mtx").read_bytes()

    return run


def test_the_matrix_is_taken_and_nothing_else(unpack):
    others = [special("m", tarfile.DIRTYPE), ("m/m_b.mtx", b"b"), ("m/m.txt", b"t")]
    assert unpack(archive([*others, GOOD, ("m/m_coord.mtx", b"c")])) == b"good"


@pytest.mark.parametrize(
    "member",
    [
        ("/etc/x", b"x"),
        ("../x", b"x"),
        special("m/m.mtx", tarfile.SYMTYPE, "/etc/passwd"),
        special("m/m.mtx", tarfile.LNKTYPE, "/etc/passwd"),
        special("m/m.mtx", tarfile.CHRTYPE),
    ],
)
def test_links_devices_and_names_outside_are_not_followed(unpack, member):
    for members in ([member, GOOD], [GOOD, member]):
        assert unpack(archive(members)) == b"good"


@pytest.mark.parametrize("members", [[], [("m/other.mtx", b"x")], [("m/m.mtx.gz", b"x")]])
def test_an_archive_without_the_matrix_is_refused(unpack, members):
    with pytest.raises(Rejected, match=r"holds no m\.mtx"):
        unpack(archive(members))


@pytest.mark.parametrize("name", ["m/m.mtx", "m.mtx", "x/m.mtx"])
def test_an_archive_with_two_is_refused(unpack, name):
    with pytest.raises(Rejected, match=rf"twice: m/m\.mtx and {name}"):
        unpack(archive([GOOD, (name, b"other")]))


def test_a_member_over_the_limit_is_refused_before_it_is_written(unpack, tmp_path):
    assert unpack(archive([("m/m.mtx", bytes(1000))]), 1000) == bytes(1000)
    with pytest.raises(Rejected, match="1,001 bytes"):
        unpack(archive([("m/m.mtx", bytes(1001))]), 1000)
    assert not (tmp_path / "work/m.mtx").exists()


def test_a_sparse_member_counts_with_its_full_size(unpack):
    member = tarfile.TarInfo("m/m.mtx")
    member.pax_headers = {"GNU.sparse.size": str(10**12), "GNU.sparse.map": "0,0"}
    member.size = 0
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member, io.BytesIO())
    with pytest.raises(Rejected, match="1,000,000,000,000 bytes"):
        unpack(packed.getvalue())


@pytest.mark.parametrize("name", ["m/big", "m/m_b.mtx"])
def test_skipped_members_are_bounded_too(unpack, monkeypatch, name):
    monkeypatch.setattr(under_test, "OTHER_MEMBERS_BYTES", 10**6)
    assert unpack(archive([(name, bytes(900_000)), GOOD])) == b"good"
    for members in ([(name, bytes(1_100_000)), GOOD], [GOOD, (name, bytes(1_100_000))]):
        with pytest.raises(Rejected, match="far more bytes"):
            unpack(archive(members))
    padded = gzip.decompress(archive([GOOD])) + bytes(2 * 10**6)
    with pytest.raises(Rejected, match="far more bytes"):
        unpack(gzip.compress(padded))


def test_a_damaged_archive_or_another_file_is_refused(unpack):
    whole = archive([GOOD, ("m/m_b.mtx", noise(20_000))])
    flipped = bytearray(whole)
    flipped[10_000] ^= 1  # in a member that is not unpacked
    cut = [whole[:left] for left in (0, 5, 100, -100, -1)]
    others = [b"<html></html>", gzip.compress(b"no tar" * 200)]
    for data in [*cut, bytes(flipped), *others]:
        with pytest.raises(Rejected, match=r"not a whole \.tar\.gz"):
            unpack(data)


def test_a_full_disk_is_not_the_archives_fault(unpack):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    data = archive([("m/m.mtx", bytes(10**6))])
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        with pytest.raises(FetchError, match=r"cannot write .*m\.mtx") as raised:
            unpack(data, 10**6)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not isinstance(raised.value, Rejected)

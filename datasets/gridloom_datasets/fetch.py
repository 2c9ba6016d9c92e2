"""Brings matrices into the data folder: download, unpack, convert, compare, only then keep."""

import pooch

from gridloom_datasets.archive import archive_limit, unpack_matrix, unpacked_limit
from gridloom_datasets.download import download
from gridloom_datasets.errors import FetchError, InputError, Rejected, complain, reason
from gridloom_datasets.manifest import BASE_URL, GENERATED
from gridloom_datasets.matrix_program import convert, disagreements, measure


class Fetcher:
    """Fetches into one data folder. Several processes may fetch into the same folder."""

    def __init__(self, folder, checksums, program, mirror=BASE_URL):
        self.folder, self.checksums, self.program = folder, checksums, program
        self.mirror = mirror

    def fetch(self, matrix):
        """Returns in words what was done. Throws FetchError; csr/NAME.h5 is right or not there."""
        target = self.folder.csr(matrix.name)
        if target.is_file():
            return "already there"
        if matrix.generate:
            return GENERATED
        wait = lambda: complain(f"{matrix.name}: waiting for another fetch of it")  # noqa: E731
        with self.folder.lock(matrix.name, wait):
            if target.is_file():
                return "already there"
            self.folder.make("csr")
            with self.folder.work(matrix.name) as work:
                return self.from_local(matrix, work) or self.from_archive(matrix, work)

    def from_local(self, matrix, work):
        """From matrices/NAME.mtx.gz. A file of another matrix is passed over, saying so."""
        path = self.folder.local(matrix.name)
        if path is None:
            return ""
        try:
            self.keep(matrix, path, work, f"{matrix.title}, {path}")
        except (Rejected, InputError) as error:
            complain(f"{matrix.name}: {path} passed over: {error}")
            return ""
        return f"converted from {path}"

    def from_archive(self, matrix, work):
        archive = download(matrix, self.folder, self.checksums, self.mirror, archive_limit(matrix))
        url = matrix.url_at(self.mirror)
        trusted = self.checksums.known(matrix.url)[0] is not None
        try:
            market = work / f"{matrix.name}.mtx"
            unpack_matrix(archive, matrix.name, market, unpacked_limit(matrix))
            sha256 = pooch.file_hash(str(archive), alg="sha256")
            self.keep(matrix, market, work, f"{matrix.title}, {url}, sha256 {sha256}")
        except (Rejected, InputError):
            if not trusted:  # an error page, perhaps: the next fetch must ask again
                archive.unlink(missing_ok=True)
            raise
        # Not before its contents were seen to be right: what is trusted first stays trusted.
        self.checksums.record(matrix.url, sha256, archive.stat().st_size)
        return "downloaded and converted"

    def keep(self, matrix, source, work, about):
        """Converts in the work folder; the result gets its name after its numbers agree."""
        converted = work / f"{matrix.name}.h5"
        convert(self.program, source, converted, about)
        wrong = disagreements(matrix, measure(self.program, converted))
        if wrong:
            raise Rejected(f"not the matrix of the manifest: {'; '.join(wrong)}")
        converted.replace(self.folder.csr(matrix.name))


def fetch_all(fetcher, matrices):
    """Fetches one after another and goes on after a failure. Returns the exit code."""
    failed = []
    for matrix in matrices:
        try:
            print(f"{matrix.name}: {fetcher.fetch(matrix)}", flush=True)
        except (FetchError, InputError) as error:
            complain(f"{matrix.name}: {error}")
            failed.append(matrix.name)
        except OSError as error:
            complain(f"{matrix.name}: {error.filename or fetcher.folder.root}: {reason(error)}")
            failed.append(matrix.name)
    if failed and len(matrices) > 1:
        complain(f"{len(failed)} of {len(matrices)} failed: {', '.join(failed)}")
    return 1 if failed else 0

// Damaged files of our format. Each is either refused with a message of one line or read as it was
// written, and none crashes the reader. A damaged file depends only on its number, so that a
// failure can be repeated.

#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <string>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "read_results.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(hdf5_mutants_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

std::string mutant_of(std::string bytes, unsigned number) {
  std::mt19937_64 random{number};
  auto const below = [&](std::size_t count) { return random() % count; };
  if (number % 4 == 0) return bytes.substr(0, below(bytes.size()));
  // Copies a piece of the file over another one.
  if (number % 4 == 1) {
    std::string const piece = bytes.substr(below(bytes.size() - 64), 1 + below(64));
    return bytes.replace(below(bytes.size() - 64), piece.size(), piece);
  }
  for (std::size_t left = number % 4 == 2 ? 1 : 8; left > 0; --left) {
    bytes[below(bytes.size())] = static_cast<char>(random());
  }
  // Half of the files lose their checksum, so that HDF5 must find the damage.
  return number % 8 < 4 ? bytes : bytes.substr(0, bytes.size() - 12);
}

// `read` returns the contents of a file as text.
void try_mutants(std::filesystem::path const& good, unsigned count,
                 std::function<std::string(std::filesystem::path const&)> const& read) {
  std::string const bytes = read_text(good);
  std::string const expected = read(good);
  auto const path = good.parent_path() / "mutant.h5";
  unsigned refused = 0;
  for (unsigned number = 0; number < count; ++number) {
    write_text(path, mutant_of(bytes, number));
    BOOST_TEST_CONTEXT("mutant " << number) {
      try {
        BOOST_TEST((read(path) == expected));
      } catch (usage_error const& error) {
        ++refused;
        std::string const message = error.what();
        BOOST_TEST(message.starts_with(path.string()));
        BOOST_TEST(!contains(message, "\n"));
      }
    }
  }
  BOOST_TEST(refused > count / 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(results) {
  scratch_folder const folder;
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", "test");
  result_table runs{"runs",
                    {{"n", column_type::integer, "1", ""}, {"t", column_type::text, "", ""}}};
  for (std::int64_t i = 0; i < 300; ++i) runs.add_row({i * i, std::to_string(i)});
  write_results(folder / "r.h5", meta, std::array{runs}, write_mode::replace);
  try_mutants(folder / "r.h5", 1000, [](std::filesystem::path const& path) {
    std::string all = read_meta(path).get("program").value_or("none");
    result_table const read = read_table(path, "runs");
    for (std::int64_t const n : read.integers("n")) all += std::to_string(n) + " ";
    for (std::string const& text : read.texts("t")) all += text + " ";
    return all;
  });
}

BOOST_AUTO_TEST_CASE(matrices) {
  scratch_folder const folder;
  auto const made = sparse::generate("poisson2d:nx=9,ny=9,points=5");
  std::visit([&](auto const& matrix) { sparse::write_csr(folder / "m.h5", matrix); }, made);
  try_mutants(folder / "m.h5", 500, [&](std::filesystem::path const& path) {
    return sparse::read_csr(path) == made ? "the same" : "another";
  });
}

BOOST_AUTO_TEST_SUITE_END()

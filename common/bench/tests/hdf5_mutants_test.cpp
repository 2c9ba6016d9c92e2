// Damaged HDF5 files: results to append to, task graphs, matrices. Whatever is changed in them, a
// reader returns or refuses the file in one line; it does not crash, hang or throw anything else.
// GRIDLOOM_MUTANTS says how many of each kind; a mutant follows from its number, so that a failure
// can be made again.

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <variant>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(hdf5_mutants_test)

using namespace gridloom;
using namespace gridloom::test;
namespace fs = std::filesystem;

namespace {

std::uint64_t number_of_mutants() {
  char const* const given = std::getenv("GRIDLOOM_MUTANTS");
  return given == nullptr ? 300 : std::strtoull(given, nullptr, 10);
}

// Values that lengths, addresses and types of a file take badly.
constexpr std::array<std::uint64_t, 9> bad_words{
    0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};

std::string mutant_of(std::string bytes, std::uint64_t number) {
  std::mt19937_64 random{number};
  auto const below = [&](std::uint64_t count) {
    return static_cast<std::size_t>(random() % std::max<std::uint64_t>(count, 1));
  };
  auto const put = [&](std::size_t place, std::uint64_t word, std::size_t count) {
    for (std::size_t k = 0; k < count && place + k < bytes.size(); ++k) {
      bytes[place + k] = static_cast<char>(word >> 8 * k & 0xffU);
    }
  };
  switch (number % 6) {
    case 0:
    case 1: put(below(bytes.size()), random(), 1); break;
    case 2:
      for (std::size_t k = 1 + below(8); k > 0; --k) put(below(bytes.size()), random(), 1);
      break;
    case 3: {
      std::size_t const width = std::size_t{1} << below(4);
      put(below(bytes.size()), bad_words[below(bad_words.size())], width);
      break;
    }
    case 4: {
      std::size_t const count = 1 + below(64);
      std::string const piece = bytes.substr(below(bytes.size()), count);
      bytes.replace(below(bytes.size() - piece.size()), piece.size(), piece);
      break;
    }
    default: bytes.resize(below(bytes.size())); break;
  }
  return bytes;
}

// A failed write is no failure of the file's; nothing else but usage_error is allowed.
void try_mutants(fs::path const& good, std::function<void(fs::path const&)> const& read) {
  std::string const bytes = read_text(good);
  fs::path const path = good.parent_path() / "mutant.h5";
  BOOST_REQUIRE_NO_THROW(read(good));
  std::uint64_t refused = 0;
  std::uint64_t const count = number_of_mutants();
  for (std::uint64_t number = 0; number < count; ++number) {
    write_text(path, mutant_of(bytes, number));
    BOOST_TEST_CONTEXT("mutant " << number) {
      try {
        read(path);
      } catch (usage_error const& error) {
        ++refused;
        std::string const message = error.what();
        BOOST_TEST(message.starts_with(path.string()));
        BOOST_TEST(message.find('\n') == std::string::npos);
      }
    }
  }
  BOOST_TEST_MESSAGE(refused << " of " << count << " mutants were refused");
  // The rest changed what nobody looks at.
  BOOST_TEST(refused > count / 20);
}

run_meta meta_of_test() {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", "test");
  return meta;
}

result_table small_table() {
  result_table table{"runs",
                     {{"count", column_type::integer, "1", "a count"},
                      {"elapsed_ms", column_type::real, "ms", "a time"},
                      {"name", column_type::text, "", "a name"}}};
  for (std::int64_t k = 0; k < 5; ++k) {
    table.add_row({k, 0.5 * static_cast<double>(k), "row " + std::to_string(k)});
  }
  return table;
}

/// A damaged file gives what was written or is refused.
void require_begins_with(result_table const& table, result_table const& written) {
  BOOST_REQUIRE(table.columns().size() == written.columns().size());
  for (std::size_t i = 0; i < written.columns().size(); ++i) {
    column const& now = table.columns()[i];
    column const& good = written.columns()[i];
    BOOST_TEST(now.name == good.name);
    BOOST_TEST(now.unit == good.unit);
    BOOST_TEST(now.description == good.description);
    BOOST_REQUIRE(table.values_at(i).index() == written.values_at(i).index());
    std::visit(
        [&]<typename Values>(Values const& first) {
          auto const& all = std::get<Values>(table.values_at(i));
          BOOST_REQUIRE(all.size() >= first.size());
          BOOST_TEST(std::equal(first.begin(), first.end(), all.begin()));
        },
        written.values_at(i));
  }
}

void require_meta(fs::path const& path) {
  for (auto const& [name, value] : meta_of_test().attributes) {
    BOOST_TEST(read_meta(path).get(name).value_or("none") == value);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(results_to_append_to) {
  scratch_folder const folder;
  fs::path const good = folder / "results.h5";
  std::array const tables{small_table()};
  write_results(good, meta_of_test(), tables, write_mode::replace);
  result_table const original = read_table(good, "runs");
  try_mutants(good, [&](fs::path const& path) {
    write_results(path, meta_of_test(), tables, write_mode::append);
    // What could be added to can be read, and old rows are as they were.
    result_table const after = read_table(path, "runs");
    BOOST_TEST(after.rows() == 10U);
    BOOST_TEST(count_processes(path) == 2U);
    require_begins_with(after, original);
    require_meta(path);
  });
  BOOST_TEST(folder.names() == (std::vector<std::string>{"mutant.h5", "results.h5"}));
}

BOOST_AUTO_TEST_CASE(results_to_read) {
  scratch_folder const folder;
  fs::path const good = folder / "results.h5";
  write_results(good, meta_of_test(), std::array{small_table()}, write_mode::replace);
  result_table const original = read_table(good, "runs");
  try_mutants(good, [&](fs::path const& path) {
    require_begins_with(read_table(path, "runs"), original);
    require_meta(path);
  });
}

BOOST_AUTO_TEST_CASE(task_graphs) {
  scratch_folder const folder;
  fs::path const good = folder / "graph.h5";
  write_dag(good, {{0, 2, 3, 4, 4}, {1, 2, 3, 3}});
  try_mutants(good, [](fs::path const& path) { (void)read_dag(path); });
}

BOOST_AUTO_TEST_CASE(matrices) {
  scratch_folder const folder;
  fs::path const good = folder / "matrix.h5";
  std::visit(
      [&](auto const& matrix) {
        sparse::write_csr(good, matrix, {{"source", "a test"}});
      },
      sparse::generate("poisson2d:nx=4,ny=4,points=5"));
  try_mutants(good, [](fs::path const& path) {
    (void)sparse::read_csr(path);
    (void)sparse::read_provenance(path);
  });
}

BOOST_AUTO_TEST_SUITE_END()

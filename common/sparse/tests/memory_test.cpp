// How much memory the readers of text graphs hold at most, and what they say when there is not
// enough: every allocation of this program is counted, and refused beyond a limit.
#include <malloc.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::sparse;
using namespace gridloom::test;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> peak{0};
std::atomic<std::size_t> limit{no_limit};

void* allocate(std::size_t bytes) {
  if (bytes > limit || held > limit - bytes) throw std::bad_alloc{};
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc{};
  held += ::malloc_usable_size(memory);
  if (held > peak) peak = held.load();
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) held -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// The forms for arrays and for sizes call these.
void* operator new(std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }

namespace {

// Runs the function with so much memory beyond what is held already.
template <typename Function>
auto within(std::size_t bytes, Function&& function) {
  struct restore {
    ~restore() { limit = no_limit; }
  } const restored;
  limit = held + bytes;
  return function();
}

std::string random_edge_list(std::uint32_t vertices, std::size_t edges, bool weighted) {
  random_source random{3};
  std::string text;
  // Distinct: each number stands for one pair of vertices.
  std::uint64_t const pairs = std::uint64_t{vertices} * vertices;
  std::uint64_t const step = pairs / edges;
  for (std::size_t const k : random_permutation(edges, random)) {
    std::uint64_t const pair = k * step + random.below(step);
    text += std::to_string(pair / vertices) + " " + std::to_string(pair % vertices);
    text += weighted ? " 0.5\n" : "\n";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_directed_edge_list_is_read_within_three_times_the_result) {
  scratch_folder const folder;
  // Several chunks of 2^22 edges, so that what a chunk has too much counts little.
  constexpr std::size_t chunk = std::size_t{1} << 22U;
  for (bool const weighted : {false, true}) {
    // Two vertices for thousands of edges each: the row offsets are as good as nothing.
    auto const path = write_text(folder / "g.txt",
                                 random_edge_list(4000, weighted ? chunk : 2 * chunk, weighted));
    std::size_t const before = held;
    peak = before;
    any_csr const read = read_edge_list(path, {.undirected = false});
    std::size_t const bytes = std::visit([](auto const& m) { return m.bytes(); }, read);
    BOOST_TEST(bytes > 4 * chunk);
    BOOST_TEST(peak - before <= 3 * bytes);
  }
}

BOOST_AUTO_TEST_CASE(a_graph_that_does_not_fit_is_bad_input) {
  scratch_folder const folder;
  constexpr std::size_t enough = std::size_t{100} << 20U;
  auto const list = write_text(folder / "g.txt", "0 16777215\n");
  auto const metis = write_text(folder / "g.graph", "8000000 0\n" + std::string(8000000, '\n'));
  auto const message = [](std::filesystem::path const& path, auto read) {
    return message_of<usage_error>([&] { within(enough, [&] { (void)read(path); }); });
  };
  BOOST_TEST(message(list, [](auto const& path) { return read_edge_list(path); }) ==
             list.string() + ": does not fit into memory");
  BOOST_TEST(message(metis, [](auto const& path) { return read_metis(path); }) ==
             metis.string() + ": does not fit into memory");
}

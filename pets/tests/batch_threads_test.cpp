// Runs the kernel of batches with whole and partial warps.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "batch_graphs.hpp"
#include "modelled_threads.hpp"
#include "pets/ours/kernels/batch_select.hpp"
#include "pets/support/generate.hpp"

namespace gridloom::pets::test {

BOOST_AUTO_TEST_SUITE(batch_threads_test)
namespace {

using namespace gridloom::test;

// Runs one block of whole warps, or of less than one warp.
class warp_of_block : public modelled_warp {
 public:
  warp_of_block(modelled_threads& all, int thread)
      : modelled_warp{all, thread}, all_{&all}, thread_{thread} {}
  [[nodiscard]] int num_threads() const {
    return std::min(all_->threads(), modelled_threads::lanes);
  }
  [[nodiscard]] int index() const { return thread_ / modelled_threads::lanes; }
  [[nodiscard]] int count() const {
    return (all_->threads() + modelled_threads::lanes - 1) / modelled_threads::lanes;
  }
  void pause(unsigned) const {}
  [[nodiscard]] warp_of_block warp() const { return *this; }
  [[nodiscard]] std::uint32_t ballot(bool p) const {
    all_->lane_value(thread_) = p ? 1 : 0;
    sync();
    std::uint32_t votes = 0;
    for (int lane = 0; lane < num_threads(); ++lane) {
      auto const vote = all_->lane_value(thread_ - thread_rank() + lane);
      votes |= static_cast<std::uint32_t>(vote) << lane;
    }
    sync();
    return votes;
  }
  [[nodiscard]] bool any(bool p) const { return ballot(p) != 0; }

 private:
  modelled_threads* all_;
  int thread_;
};

class block_of_warps : public gridloom::test::modelled_group {
 public:
  block_of_warps(modelled_threads& all, int thread)
      : modelled_group{all, thread}, warp_{all, thread} {}
  [[nodiscard]] warp_of_block warp() const { return warp_; }

 private:
  warp_of_block warp_;
};

template <std::uint32_t MostTasks, class Word>
void check(modelled_threads& threads, graphs const& of, std::string const& name) {
  using kernel = batch_kernel<MostTasks, Word, true>;
  batch_results const right = by_reference(of);
  graph_batch const batch = joined(of);
  batch_packing size;
  (void)size.pack<Word>(batch);
  std::vector<std::uint64_t> packed(size.bytes() / sizeof(std::uint64_t));
  auto* const bytes = reinterpret_cast<std::byte*>(packed.data());
  std::size_t const n = batch.all.num_tasks;
  std::vector<std::uint32_t> levels(n);
  std::vector<std::uint32_t> order(n);
  std::vector<std::uint32_t> processors(n);
  std::vector<time_value> ranks(n);
  std::vector<time_value> finishes(n);
  std::vector<time_value> makespans(of.size());
  std::uint32_t taken = 0;
  std::uint32_t row = 1;
  while (row < 32 && row < batch.all.num_processors) row *= 2;
  kernel const run{batch_packing(bytes, bytes).pack<Word>(batch),
                   {levels.data(), ranks.data(), order.data(), finishes.data(), processors.data(),
                    makespans.data()},
                   row,
                   &taken};
  auto const scratch = std::make_unique<typename kernel::scratch>();
  std::memset(static_cast<void*>(scratch.get()), 0xa5, sizeof(*scratch));
  threads.run([&](int thread) { run(block_of_warps{threads, thread}, *scratch); });
  BOOST_TEST_CONTEXT(name << ", " << row << " threads a row, " << threads.threads() << " threads") {
    BOOST_TEST((levels == right.levels));
    BOOST_TEST((ranks == right.ranks));
    BOOST_TEST((order == right.order));
    BOOST_TEST((finishes == right.finishes));
    BOOST_TEST((processors == right.processors));
    BOOST_TEST((makespans == right.makespans));
  }
}

template <class Body>
void with_threads(std::initializer_list<int> sizes, Body&& body) {
  for (bool const falling : {false, true}) {
    for (int const size : sizes) {
      modelled_threads threads{size, falling};
      body(threads);
    }
  }
}

BOOST_AUTO_TEST_CASE(small_graphs) {
  with_threads({7, 32, 64}, [](modelled_threads& threads) {
    for (std::uint32_t const processors : {3U, 8U, 33U}) {
      graphs of;
      for (std::uint64_t i = 0; i < 4; ++i) {
        of.push_back(generate("v=100,alpha=" + std::to_string(1 + i), processors, i));
        of.push_back(generate("v=30,w=1,eta=0,ccr=0", processors, i));
      }
      of.push_back(ladder(1, 0, processors));
      of.push_back(ladder(128, 0, processors));
      of.push_back(reversed(ladder(128, 128, processors)));
      of.push_back(generate("fft:width=16,steps=5", processors, 1));
      check<128, std::uint32_t>(threads, of, "narrow");
      for (task_graph& graph : of) graph = scaled(graph, time_value{1} << 36U);
      check<128, std::uint64_t>(threads, of, "wide");
    }
  });
}

BOOST_AUTO_TEST_CASE(large_graphs) {
  with_threads({7, 32}, [](modelled_threads& threads) {
    graphs of{ladder(1000, 0, 3),
              ladder(1024, 1, 3),
              generate("v=1000,alpha=3", 3, 1),
              generate("v=1024,beta=0,alpha=100,w=2,eta=0", 3, 1),
              reversed(ladder(300, 40, 3)),
              ladder(65, 0, 3)};
    check<1024, std::uint32_t>(threads, of, "narrow");
    for (task_graph& graph : of) graph = scaled(graph, time_value{1} << 36U);
    check<1024, std::uint64_t>(threads, of, "wide");
  });
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets::test

// Tests the tasks of the published ordering with workers of 256 threads in warps. On the host a
// worker is one thread. So here modelled threads execute each task, one task after the other, in
// the order of the phases.

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "mhive/type_dispatch.hpp"
#include "modelled_threads.hpp"
#include "published/order_tasks.hpp"
#include "published/valency_kernel.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

BOOST_AUTO_TEST_SUITE(rcm_published_threads_test)
namespace {

using namespace gridloom::test;

template <std::unsigned_integral Key>
class modelled_run {
 public:
  using queue = order_queue<Key>;

  modelled_run(graph const& of, vertices const& starts, bool falling, std::uint32_t most_tasks)
      : threads_{published_worker_size, falling},
        falling_{falling},
        starts_{starts},
        valencies_(of.num_rows),
        order_(of.num_rows, ~0U),
        keys_(of.num_rows, key_marks<Key>::untouched),
        sort_keys_(of.num_rows),
        sort_values_(of.num_rows) {
    graph_ref const ref = graph_of(of);
    std::uint32_t largest = 0;
    for (std::uint32_t v = 0; v < of.num_rows; ++v) {
      valencies_[v] = valency_of(ref, v);
      largest = std::max(largest, valencies_[v]);
    }
    data_ = {ref,
             valencies_.data(),
             valency_bits(largest),
             static_cast<std::uint32_t>(starts.size()),
             starts_.data(),
             most_tasks,
             order_.data(),
             keys_.data(),
             sort_keys_.data(),
             sort_values_.data(),
             &words_};
  }

  vertices order() {
    items_[queue::template index_of<sort_delegate<Key>>()].push_back(0);
    // Here each phase has one type, so both have the same index.
    int phase = 0;
    for (int empty = 0; empty < queue::num_types; phase = (phase + 1) % queue::num_types) {
      empty = items_[phase].empty() ? empty + 1 : 0;
      while (!items_[phase].empty()) {
        std::vector<std::uint32_t> items;
        items.swap(items_[phase]);
        if (falling_) std::reverse(items.begin(), items.end());
        BOOST_TEST_REQUIRE(items.size() <= data_.most_tasks);
        for (std::uint32_t const item : items) execute(phase, item);
      }
    }
    return order_;
  }

 private:
  template <class Type>
  struct context {
    modelled_run& run;
    modelled_group group;
    scratch_of_t<Type>& memory;

    modelled_group const& worker() const { return group; }
    order_data<Key> const& data() const { return run.data_; }
    scratch_of_t<Type>& scratch() const { return memory; }
    template <class Other>
    void enqueue(std::uint32_t item) const {
      run.items_[queue::template index_of<Other>()].push_back(item);
    }
    template <class Other, class Make>
    void enqueue_many(int n, Make const& make) const {
      // All threads must call this with the same n.
      std::uint64_t& seen = run.sizes_[static_cast<std::size_t>(group.thread_rank())];
      seen = static_cast<std::uint64_t>(n);
      group.sync();
      if (seen != run.sizes_[0]) throw std::runtime_error("threads enqueue different numbers");
      group.sync();
      if (group.thread_rank() != 0) return;
      for (int i = 0; i < n; ++i) enqueue<Other>(make(i));
    }
  };

  void execute(int index, std::uint32_t item) {
    with_type<queue>(index, [&](auto tag) {
      using type = typename decltype(tag)::type;
      auto const memory = std::make_unique<scratch_of_t<type>>();
      if constexpr (sizeof(*memory) > 1) std::memset(memory.get(), 0xa5, sizeof(*memory));
      threads_.run([&](int thread) {
        context<type> seen{*this, {threads_, thread}, *memory};
        type::execute(seen, item);
      });
    });
  }

  modelled_threads threads_;
  bool falling_;
  vertices starts_;
  std::vector<std::uint32_t> valencies_;
  vertices order_;
  std::vector<Key> keys_;
  std::vector<Key> sort_keys_;
  std::vector<std::uint32_t> sort_values_;
  level_words words_;
  order_data<Key> data_{};
  std::array<std::vector<std::uint32_t>, queue::num_types> items_;
  std::array<std::uint64_t, published_worker_size> sizes_{};
};

template <std::unsigned_integral Key>
void check(std::string const& spec, std::uint32_t most_tasks = 1U << 16U) {
  graph const of = graph_from(spec);
  vertices const starts = nodes_of(find_starts(graph_of(of)));
  vertices const wanted = order_from(graph_of(of), starts).cuthill_mckee;
  for (bool const falling : {false, true}) {
    bool const right = modelled_run<Key>{of, starts, falling, most_tasks}.order() == wanted;
    BOOST_TEST(right, spec << (falling ? ", falling" : ", rising"));
  }
}

BOOST_AUTO_TEST_CASE(small_graphs) {
  for (char const* spec :
       {"path:n=9,shuffle=1", "star:n=50,shuffle=1", "poisson2d:nx=12,ny=9,points=9,shuffle=1",
        "random:n=90,nnz=400,seed=2", "scale_free:n=120,nnz=500,seed=6"}) {
    check<std::uint32_t>(spec);
    check<std::uint64_t>(spec);
  }
}

BOOST_AUTO_TEST_CASE(components_and_isolated_vertices) {
  check<std::uint32_t>(
      "union(isolated:n=300;path:n=2*3;star:n=70;isolated:n=256;path:n=3;isolated:n=90)");
  check<std::uint32_t>("union(isolated:n=5;path:n=2*4;random:n=70,nnz=4830):shuffle=1,seed=3");
  check<std::uint32_t>("isolated:n=256");
  check<std::uint32_t>("isolated:n=513");
}

BOOST_AUTO_TEST_CASE(wide_levels_and_long_rows) {
  check<std::uint32_t>("star:n=5001,shuffle=1");
  check<std::uint64_t>("random:n=5000,nnz=17000,seed=4");
  check<std::uint32_t>("random:n=5000,nnz=17000,seed=5", 2);
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm

// The work of the arms. This source launches kernels.

#include "arms.hpp"

#include <algorithm>

#include "explore_task.hpp"
#include "gridloom/error.hpp"
#include "mhive/deadline.hpp"
#include "mhive/program.hpp"
#include "thesis_mhive/ours/schedulers.hpp"
#include "thesis_mhive/rivals/dynamic/levels.hpp"

namespace gridloom::mhive::dynamic {
namespace {

[[noreturn]] void refuse_capacity(std::string const& what) {
  throw usage_error("--capacity: " + what + "; use a larger one");
}

/// What the arms share: they begin with the root, and their result is compared.
class search_work : public bench::work<row> {
 public:
  explicit search_work(problem& of) : problem_(of) {}

  // Nothing is copied: a search has no input.
  bool has_copies() const override { return false; }
  void prepare() override {
    counted_ = {};
    std::visit([&](auto const& search) { counted_.found.add(search, search.root()); },
               problem_.named.search);
  }
  void verify() override {
    if (!problem_.expected) problem_.expected = expected_totals(problem_.named);
    require_totals(problem_.named, *problem_.expected, counted_.found);
  }
  void record(row& to) const override { static_cast<counters&>(to) = counted_; }

 protected:
  problem& problem_;
  counters counted_;
};

class serial_work final : public search_work {
 public:
  serial_work(problem& of, row const& /*what*/) : search_work(of) {}
  void run() override {
    counted_.found = std::visit([](auto const& search) { return search_serially(search); },
                                problem_.named.search);
  }
};

/// Counts on the machine.
class device_work : public search_work {
 public:
  explicit device_work(problem& of) : search_work(of), found_(of.machine.allocate<totals>(1)) {}

  void prepare() override {
    search_work::prepare();
    problem_.machine.copy_to_device(found_, std::span<totals const>{&counted_.found, 1});
  }
  double timed_run(device& machine) override {
    time_limit const limit{machine, problem_.timeout_s};
    search(limit.deadline_ns);
    limit.require_kept();
    counted_.found = machine.copy_to_host(found_)[0];
    return counted_.done.elapsed_ms;
  }

 protected:
  virtual void search(std::uint64_t deadline_ns) = 0;

  buffer<totals> found_;
};

template <class Scheduler, class Search>
class mhive_work final : public device_work {
  using task = explore<Search>;
  // Enough for all workers of a large GPU, many times.
  static constexpr std::uint64_t most_tasks = 1U << 18U;

 public:
  mhive_work(problem& of, Search const& search, row const& what)
      : device_work(of),
        capacity_(static_cast<std::uint32_t>(std::min(of.capacity, most_tasks))),
        program_(of.machine, {.capacity = capacity_,
                              .waiting = 1,
                              .workers = of.workers,
                              .timeout_s = of.timeout_s}),
        waiting_(of.machine.allocate<std::uint32_t>(1)),
        data_{search,        static_cast<std::uint32_t>(what.batch),
              capacity_ / 2, 0,
              found_.data(), waiting_.data()} {
    typename Search::node_type const root = search.root();
    program_.template enqueue<task>({&root, 1});
  }

 private:
  void search(std::uint64_t deadline_ns) override {
    std::uint32_t const root = 1;
    problem_.machine.copy_to_device(waiting_, std::span<std::uint32_t const>{&root, 1});
    data_.deadline_ns = deadline_ns;
    try {
      counted_.done = program_.template run<Scheduler>(data_);
    } catch (queue_full const& error) {
      refuse_capacity(error.what());
    }
    counted_.tasks = program_.template executed<task>();
  }

  std::uint32_t capacity_;
  program<explore_queue<Search>> program_;
  buffer<std::uint32_t> waiting_;
  explore_data<Search> data_;
};

template <level_driver Driver, class Search>
class level_work final : public device_work {
 public:
  level_work(problem& of, Search const& search, row const& /*what*/)
      : device_work(of), levels_(of.machine, search, of.capacity, of.workers, found_.data()) {}

 private:
  void search(std::uint64_t deadline_ns) override {
    level_words const end = levels_.run(deadline_ns, counted_.done);
    counted_.largest_level = static_cast<std::int64_t>(end.largest);
    if (end.end == level_end::full) {
      refuse_capacity("level " + std::to_string(end.level) + " has no room for " +
                      std::to_string(std::max(end.size[0], end.size[1])) + " nodes with children");
    }
    if (end.end == level_end::late) throw timeout_error(timeout_text(problem_.timeout_s));
    if (end.end != level_end::done) throw run_error("a kernel launch from the device failed");
  }

  level_search<Search, Driver> levels_;
};

/// A factory for the search of the problem.
template <template <class> class Work>
std::unique_ptr<bench::work<row>> make(problem& of, row const& what) {
  return std::visit(
      [&]<class Search>(Search const& search) -> std::unique_ptr<bench::work<row>> {
        return std::make_unique<Work<Search>>(of, search, what);
      },
      of.named.search);
}
template <class Scheduler>
struct under {
  template <class Search>
  using work = mhive_work<Scheduler, Search>;
};
template <level_driver Driver>
struct by {
  template <class Search>
  using work = level_work<Driver, Search>;
};

template <class Scheduler>
constexpr bench::method<row> scheduler(std::string_view what, bench::origin from) {
  return {.name = Scheduler::name,
          .what = what,
          .by = from,
          .takes = "batch capacity",
          .make = make<under<Scheduler>::template work>};
}
template <level_driver Driver>
constexpr bench::method<row> levels(std::string_view name, std::string_view what) {
  return {.name = name,
          .what = what,
          .by = bench::origin::rival,
          .takes = "capacity",
          .on_host = Driver != level_driver::device,
          .make = make<by<Driver>::template work>};
}
constexpr bench::method<row> table[] = {
    scheduler<time_sliced>("TSK: the host launches one kernel per round", bench::origin::published),
    scheduler<megakernel>("MK: one persistent kernel", bench::origin::published),
    scheduler<device_controller>("PDC: a controller launches kernels from the device",
                                 bench::origin::published),
    scheduler<resident_controller>("PDC with workers that stay resident", bench::origin::ours),
    levels<level_driver::host>("level_launches", "the host launches a kernel per level"),
    levels<level_driver::graph>("level_loop", "a loop of a CUDA graph with a kernel per level"),
    levels<level_driver::device>("device_launches",
                                 "a kernel launches a kernel per level (dynamic parallelism)"),
    {.name = "serial",
     .what = "one host thread, depth first",
     .by = bench::origin::rival,
     .host_code = true,
     .make = bench::makes<serial_work>}};

}  // namespace

std::span<bench::method<row> const> all_methods() { return table; }

}  // namespace gridloom::mhive::dynamic

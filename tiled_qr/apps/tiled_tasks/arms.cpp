#include "arms.hpp"

#include <algorithm>
#include <memory>

#include "gridloom/bench/catalogue.hpp"
#include "rivals/lapack.hpp"
#include "works.hpp"

namespace gridloom::tiled_qr::general {

namespace {

constexpr method entries[] = {
    {"general", "report, FR4: tasks of any graph, scheduled by the workers themselves", ""},
    {"serial", "one host thread, in an order that keeps the dependences", ""},
    {"waves", "a launch a wave of tasks that neither depend on each other nor conflict", "", true,
     false},
    {"waves_graph", "the same launches as a CUDA graph", "", true, false},
    {"fr2", "report, FR2: the tiled QR's own scheduler, a grid under a lock", "qr"},
    {"lapack", "rival: LAPACKE geqrf or potrf of OpenBLAS, one thread", "qr cholesky", false,
     false},
};

/// Threads of a block unless the user says: the report's 32 for its own operations, more where a
/// task is made of products.
int threads_for(std::string const& client) { return client == "cholesky" ? 128 : 32; }

class arm_maker {
 public:
  arm_maker(bench::program& app, request const& wanted, subject const& what)
      : app_(app), wanted_(wanted), what_(what), shape_(app.shape(threads_for(what.client))) {
    row_.client = what.client;
    row_.input = what.graph_name;
    row_.updates = what.updates;
    if (what.client == "graph") {
      row_.work_ns = what.work_ns;
    } else {
      row_.rows = what.rows;
    }
    auto const n = static_cast<double>(what.rows);
    if (what.client == "qr") row_.flops = flops_of(what.rows, what.rows);
    if (what.client == "cholesky") row_.flops = n * n * n / 3;
    if (row_.flops != 0) row_.tile = wanted.tile;
    count_tasks_once();
  }

  [[nodiscard]] std::vector<bench::arm<row>> all() const {
    std::vector<bench::arm<row>> made;
    for (std::string const& name : wanted_.methods) {
      method const& how = bench::named<method>(entries, name, "--method");
      if (!has_method(what_.client, how)) continue;
      if (name == "fr2") {
        made.push_back({name, with(name, shape_), [this_ = *this] {
                          return std::make_unique<grid_work>(this_.app_, this_.wanted_, this_.what_,
                                                             this_.shape_);
                        }});
      } else if (name == "lapack") {
        row facts = with(name, {1, 1});
        facts.tasks = facts.dependencies = facts.uses = facts.longest_path = 0;
        facts.tile = bench::missing_integer;
        facts.blas_core = blas_core();
        made.push_back({name, facts, [this_ = *this] {
                          return std::make_unique<lapack_work>(this_.what_,
                                                               this_.app_.common().seed);
                        }});
        made.back().on_host = true;
      } else if (name == "general") {
        for (std::string const& priority : wanted_.priorities) {
          row facts = with(name, shape_);
          facts.priority = priority;
          bool const one = wanted_.priorities.size() == 1;
          add(made, one ? name : name + " " + priority, facts, execution::scheduled,
              priority == priority_by_names[0] ? priority_by::critical_path : priority_by::none);
        }
      } else {
        bool const serial = name == "serial";
        row facts = with(name, serial ? launch_shape{1, 1} : shape_);
        if (!serial && !app_.machine().is_host()) facts.blocks = bench::missing_integer;
        add(made, name, facts,
            serial            ? execution::in_order
            : name == "waves" ? execution::waves
                              : execution::waves_graph,
            priority_by::none);
      }
    }
    return made;
  }

 private:
  void count_tasks_once() {
    compiled_graph const graph =
        make_client(host(), wanted_, what_, app_.common().seed)->graph().compile(priority_by::none);
    row_.tasks = graph.tasks();
    row_.dependencies = static_cast<std::int64_t>(graph.successors.edges());
    row_.uses = static_cast<std::int64_t>(graph.uses.size());
    std::vector<std::int64_t> depth(graph.tasks(), 1);
    for (std::uint32_t const task : graph.order) {
      row_.longest_path = std::max(row_.longest_path, depth[task]);
      for (std::uint64_t e = graph.successors.row_offsets[task];
           e < graph.successors.row_offsets[task + 1]; ++e) {
        std::int64_t& of = depth[graph.successors.columns[e]];
        of = std::max(of, depth[task] + 1);
      }
    }
  }
  [[nodiscard]] row with(std::string const& name, launch_shape shape) const {
    row facts = row_;
    facts.method = name;
    facts.blocks = shape.blocks;
    facts.threads = shape.threads;
    return facts;
  }
  void add(std::vector<bench::arm<row>>& to, std::string const& label, row const& facts,
           execution how, priority_by order) const {
    bool const on_host = how == execution::in_order;
    launch_shape const shape = on_host ? launch_shape{1, 1} : shape_;
    to.push_back({label, facts, [this_ = *this, how, shape, order, on_host] {
                    return std::make_unique<task_work>(this_.app_, this_.wanted_, this_.what_, how,
                                                       shape, order, on_host);
                  }});
    to.back().on_host = on_host;
  }

  bench::program& app_;
  request const& wanted_;
  subject const& what_;
  launch_shape shape_;
  row row_;
};

}  // namespace

std::span<method const> methods() { return entries; }

bool has_method(std::string const& client, method const& how) {
  return how.clients.empty() || how.clients.find(client) != std::string_view::npos;
}

std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                     subject const& what) {
  return arm_maker(app, wanted, what).all();
}

}  // namespace gridloom::tiled_qr::general

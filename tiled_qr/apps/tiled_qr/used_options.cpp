#include "used_options.hpp"

#include <algorithm>

#include "gridloom/error.hpp"
#include "inputs/distinct.hpp"
#include "inputs/host_workers.hpp"

namespace gridloom::tiled_qr {

namespace {

bool is_tiled(std::string const& method) { return scheduling_of(method).has_value(); }

bool has_blocks(std::string const& method) {
  auto const how = scheduling_of(method);
  return how && *how != scheduling::serial;
}

bool has_queues(std::string const& method) {
  auto const how = scheduling_of(method);
  return how == scheduling::two_kernels || how == scheduling::joined;
}

bool is_ordered(std::string const& method) {
  auto const how = scheduling_of(method);
  return how && has_priority(*how);
}

bool is_weighted(std::string const& method) {
  auto const how = scheduling_of(method);
  return how && has_weight(*how, priority::factorisations_first);
}

/// Steps of CholeskyQR leave Q in the matrix: there is one way.
bool has_ways_to_form_q(std::string const& method) {
  return is_of_panels(method) && method != "cholesky_panels";
}

/// Nothing stops a library's call, launches that are queued, or Q being formed from tiles.
bool stops_in_time(std::string const& method, bool forms_q) {
  if (auto const how = scheduling_of(method)) return stops_in_time(*how) && !forms_q;
  return is_of_panels(method) || method == "householder";
}

struct own_option {
  char const* name;
  bool (*takes)(std::string const& method);
  char const* takers;
};

constexpr own_option own_options[] = {
    {"tile", is_tiled, "a method of tiles, such as fr2"},
    {"dag", is_tiled, "a method of tiles, such as fr2"},
    {"blocks", has_blocks, "a method of several workers, such as fr2"},
    {"priority", is_ordered, "a method with ready tasks, such as fr2"},
    {"weight", is_weighted, "fr3, fr3_joined, static_lists or ticket"},
    {"queue-slots", has_queues, "fr3 or fr3_joined"},
    {"tall-from", has_ways_to_form_q, "gram_panels or blocked_panels"},
    {"streams", [](std::string const& method) { return method == "cusolver_streams"; },
     "cusolver_streams"},
};

/// FR3's scheduler needs a thread beside its workers.
void require_threads(std::string const& option, std::int64_t workers, request const& wanted) {
  for (std::string const& method : wanted.methods) {
    auto const how = scheduling_of(method);
    if (!has_blocks(method) || !stops_in_time(*how)) continue;
    require_host_threads(option, workers, method, how == scheduling::two_kernels ? 1 : 0);
  }
}

}  // namespace

void require_used(bench::program& app, request const& wanted) {
  command_line const& line = app.line();
  for (own_option const& one : own_options) {
    if (!line.given(one.name)) continue;
    if (std::none_of(wanted.methods.begin(), wanted.methods.end(), one.takes))
      throw usage_error(std::string("--") + one.name + ": goes with --method " + one.takers);
  }
  for (std::string const& method : wanted.methods) {
    if (line.given("timeout-s") && !stops_in_time(method, wanted.form_q))
      throw usage_error("--timeout-s: nothing can stop " + method +
                        (wanted.form_q ? " with --form-q" : "") +
                        " while it runs; run it without --timeout-s");
  }
  if (line.given("tall-from") && !wanted.form_q)
    throw usage_error("--tall-from: expected --form-q with it");
  if (wanted.verification != "auto" && !app.common().verify)
    throw usage_error("--verification " + wanted.verification + ": cannot go with --no-verify");
  require_distinct("--blocks", wanted.blocks);
  require_distinct("--streams", wanted.streams);
  if (wanted.dag && app.common().output.empty())
    throw usage_error("--dag: expected --output to say which file to store it in");
  if (!app.machine().is_host()) return;
  require_threads("--workers", app.common().workers, wanted);
  for (std::int64_t const workers : wanted.blocks) require_threads("--blocks", workers, wanted);
}

}  // namespace gridloom::tiled_qr

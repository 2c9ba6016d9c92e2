#include "inputs.hpp"

#include <algorithm>

#include "apps/lud/input.hpp"
#include "file_name.hpp"
#include "goes_with.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

void inputs::add_options(bench::program& app) {
  app.options()(
      "input", text_option(matrix_file_, "FILE"),
      "lud: a matrix as gridloom-matrix reads it, each of whose diagonal elements outweighs "
      "its row");
  image_.add_options(app);
  graph_file_.add_to(app, "a task graph; its application is graph");
  strips_.add_options(app);
}

std::vector<std::string> inputs::apps_of_files() const {
  std::vector<std::string> found;
  for (std::string const& app : app_names()) {
    // Two applications take images.
    if (app != "int_hist" && is_from_file(app)) found.push_back(app);
  }
  return found;
}

void inputs::read(bench::program& app, std::vector<std::string> const& apps, bool makes_graph) {
  auto const has = [&](char const* name) {
    return std::find(apps.begin(), apps.end(), name) != apps.end();
  };
  if (has("graph") && graph_file_.file.empty() && !makes_graph)
    throw usage_error("--app graph: expected a file by --graph");
  require_with(app.line(), has("graph"), "--app graph", {"graph"});
  require_with(app.line(), has("lud"), "--app lud", {"input"});
  graph_file_.check(app);
  app.input("input", matrix_file_);
  image_.read(app, has("sat") || has("int_hist"));
  strips_.read(app, has("dtw"), has("sw"));
  if (!graph_file_.file.empty()) {
    graph_ = std::make_shared<csr_graph>(read_dag(graph_file_.file));
    if (graph_->tasks() == 0) throw usage_error("--graph: the graph has no tasks");
  }
  if (!matrix_file_.empty()) matrix_ = lud::read_dominant(matrix_file_);
}

bool inputs::is_from_file(std::string const& app) const {
  if (app == "graph") return !graph_file_.file.empty();
  if (app == "lud") return !matrix_file_.empty();
  return image_.is_from_file(app) || strips_.is_from_file(app);
}

void inputs::describe(subject& what) const {
  if (what.app == "graph") {
    what.graph = graph_;
    what.input = file_name(graph_file_.file);
  } else if (what.app == "lud" && matrix_) {
    what.rows = what.cols = matrix_->num_rows;
    what.input = file_name(matrix_file_);
  }
  image_.describe(what);
  strips_.describe(what);
}

void inputs::make(subject& what, std::uint64_t seed) const {
  if (what.app == "lud")
    what.matrix = std::make_shared<lud::input>(matrix_ ? lud::to_dense(*matrix_)
                                                       : lud::make_input(what.rows, seed));
  image_.make(what, seed);
  strips_.make(what, seed);
}

}  // namespace gridloom::juggler

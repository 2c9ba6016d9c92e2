// wavefront-sw: local alignment by Smith and Waterman, whose cells are the paper's lattice.

#include <filesystem>
#include <optional>

#include "../distinct.hpp"
#include "../host_workers.hpp"
#include "../tiles/tile_methods.hpp"
#include "alignment.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/program.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::sw;
using gridloom::wavefront::tiles::tile_method;

/// On one H200. A strip is a warp's, and there are a few hundred; a tile has a block of a warp.
constexpr int strip_threads = 96;
constexpr int tile_blocks_per_sm = 4;

std::vector<tile_method> const& all_methods() {
  static std::vector<tile_method> const methods = [] {
    std::vector<tile_method> all{
        {"serial", "rival: row after row, one thread of the host", true},
        {"strips", "ours: a warp a strip of rows; columns handed on in words, polled", true}};
    auto const& tiled = gridloom::wavefront::tiles::all_tile_methods;
    all.insert(all.end(), std::begin(tiled), std::end(tiled));
    all.push_back({"strips_free", "floor: strips that do not wait; its result is wrong", true});
    return all;
  }();
  return methods;
}

struct request {
  std::string query, target;
  std::int64_t random_query = 0, random_target = 0;
  gap_costs gaps;
  std::vector<std::string> methods;
  std::vector<std::int64_t> tile_cols{256};
};

struct row {
  std::string method, query, target;
  std::int64_t rows = 0, cols = 0, cells = 0;
  std::optional<int> blocks, threads;
  std::optional<std::int64_t> tile_cols;
  // After it ran:
  std::optional<std::int64_t> waves, score;
  std::int64_t memory_bytes = 0;
};

bench::schema<row> columns() {
  return {{"method", "1", "who aligns, see --list", &row::method},
          {"query", "1", "file, or drawn", &row::query},
          {"target", "1", "file, or drawn", &row::target},
          {"rows", "1", "residues of the query, with padding", &row::rows},
          {"cols", "1", "residues of the target", &row::cols},
          {"cells", "1", "rows times columns", &row::cells},
          {"blocks", "1", "thread blocks or host threads", &row::blocks},
          {"threads", "1", "threads of a block", &row::threads},
          {"tile_cols", "1", "columns of a tile", &row::tile_cols},
          {"waves", "1", "waves of tiles", &row::waves},
          {"score", "1", "of the best alignment", &row::score},
          {"memory_bytes", "B", "of the device", &row::memory_bytes}};
}

/// The reference, computed once, when it is first asked for.
class scene {
 public:
  explicit scene(alignment_input input) : of(std::move(input)) {}
  alignment_input const of;

  void require(alignment_result const& found) {
    if (!expected_) expected_ = align_serially(of);
    for (std::size_t s = 0; s < expected_->best.size(); ++s) {
      if (found.best[s] != expected_->best[s])
        throw wrong_result("rows " + std::to_string(s * strip_rows) + " to " +
                           std::to_string((s + 1) * strip_rows - 1) +
                           ": another best cell than by the serial algorithm");
    }
    if (found.last_row != expected_->last_row || found.last_column != expected_->last_column)
      throw wrong_result("the last row or column is not that of the serial algorithm");
  }

 private:
  std::optional<alignment_result> expected_;
};

class serial_work final : public bench::work<row> {
 public:
  explicit serial_work(scene& in) : in_(in) {}
  void run() override { result_ = align_serially(in_.of); }
  void verify() override { in_.require(result_); }
  void record(row& r) const override { r.score = result_.score(); }

 private:
  scene& in_;
  alignment_result result_;
};

class aligner_work final : public bench::work<row> {
 public:
  aligner_work(scene& in, std::unique_ptr<aligner> by) : in_(in), by_(std::move(by)) {}
  void prepare() override { by_->forget(); }
  void copy_in() override { by_->load(in_.of); }
  void run() override { by_->run(); }
  void copy_out() override { result_ = by_->result(); }
  void check() override { by_->require_done(); }
  void verify() override { in_.require(result_); }
  void record(row& r) const override {
    if (by_->waves() != 0) r.waves = by_->waves();
    if (!result_.best.empty()) r.score = result_.score();
    r.memory_bytes = static_cast<std::int64_t>(by_->bytes());
  }

 private:
  scene& in_;
  std::unique_ptr<aligner> by_;
  alignment_result result_;
};

std::vector<residue> text_of(std::string const& file, std::int64_t length, std::uint64_t seed) {
  return file.empty() ? draw_residues(static_cast<std::size_t>(length), seed) : read_fasta(file);
}

std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted, scene& in) {
  auto& machine = app.machine();
  row base;
  base.query = wanted.query.empty() ? "drawn" : std::filesystem::path(wanted.query).filename();
  base.target = wanted.target.empty() ? "drawn" : std::filesystem::path(wanted.target).filename();
  base.rows = in.of.rows();
  base.cols = in.of.cols();
  base.cells = static_cast<std::int64_t>(in.of.cells());
  std::vector<bench::arm<row>> arms;
  auto const add = [&](tile_method const& one, std::int64_t tile_cols) {
    row r = base;
    std::string name(one.name);
    r.method = name;
    if (name == "serial") {
      arms.push_back({name, r, [&in] { return std::make_unique<serial_work>(in); }, true});
      return;
    }
    bool const strips = name.starts_with("strips");
    aligner_options options;
    options.tile_cols = static_cast<std::uint32_t>(tile_cols);
    options.timeout_s = app.common().timeout_s;
    options.shape = app.shape(strips ? strip_threads : 32);
    if (!strips && app.common().workers == 0 && !machine.is_host())
      options.shape.blocks *= tile_blocks_per_sm;
    if (!strips) {
      options.shape.threads = machine.is_host() ? 1 : 32;
      r.tile_cols = tile_cols;
      if (wanted.tile_cols.size() > 1) name += " " + std::to_string(tile_cols);
    }
    r.blocks = options.shape.blocks;
    r.threads = options.shape.threads;
    bench::arm<row> arm{name, r, [&in, &machine, options, how = one.name] {
                          return std::make_unique<aligner_work>(
                              in, make_aligner(machine, in.of, how, options));
                        }};
    arm.as_it_is = one.name.ends_with("free");
    arms.push_back(std::move(arm));
  };
  for (tile_method const* one : wavefront::tiles::chosen(all_methods(), wanted.methods, machine)) {
    bool const tiled = one->name != "serial" && !one->name.starts_with("strips");
    for (std::int64_t const tile_cols : wanted.tile_cols) {
      add(*one, tile_cols);
      if (!tiled) break;
    }
  }
  return arms;
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("wavefront-sw", "Aligns sequences by Smith and Waterman, cell by cell.",
                     {.threads = true});
  app.options()("query", text_option(wanted.query, "FASTA"),
                "sequences; joined, they are the rows")(
      "target", text_option(wanted.target, "FASTA"), "sequences; joined, they are the columns")(
      "random-query", int_option("random-query", wanted.random_query, 0, 1 << 24),
      "residues to draw in place of --query")(
      "random-target", int_option("random-target", wanted.random_target, 0, 1 << 24),
      "residues to draw in place of --target")("gap-open",
                                               int_option("gap-open", wanted.gaps.open, 0, 1000),
                                               "what a gap costs beside its residues")(
      "gap-extend", int_option("gap-extend", wanted.gaps.extend, 1, 1000),
      "what each residue of a gap costs")(
      "method",
      choice_list_option("method", wanted.methods, bench::names_of<tile_method>(all_methods())),
      "who aligns, see --list; default: all that the machine has")(
      "tile-cols", int_list_option("tile-cols", wanted.tile_cols, 1, most_tile_cols),
      "columns of a tile of 128 rows; an arm each");
  app.line().add_example("--query queries.fasta --target swissprot.fasta",
                         "every query against every target, by BLOSUM62");
  app.line().add_example("--random-query 1000 --random-target 5000 --method serial,strips",
                         "drawn residues");
  app.line().set_list(bench::list_of<tile_method>(all_methods()));
  if (!app.parse(argc, argv)) return exit_done;
  if (wanted.query.empty() == (wanted.random_query == 0))
    throw usage_error("--query, --random-query: expected one of them");
  if (wanted.target.empty() == (wanted.random_target == 0))
    throw usage_error("--target, --random-target: expected one of them");
  wavefront::require_distinct(wanted.tile_cols, "--tile-cols");
  if (app.line().given("tile-cols")) wavefront::tiles::require_tiled(wanted.methods, "--tile-cols");
  wavefront::require_host_workers(app);
  app.input("query", wanted.query);
  app.input("target", wanted.target);
  std::uint64_t const seed = app.common().seed;
  scene in(make_input(text_of(wanted.query, wanted.random_query, seed),
                      text_of(wanted.target, wanted.random_target, seed + 1), wanted.gaps));
  auto const arms = arms_of(app, wanted, in);
  bench::harness<row> all(app, columns());
  all.show("Gcells/s",
           [](row const& r, double ms) { return 1e-6 * static_cast<double>(r.cells) / ms; });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }

// wavefront-sw: local alignment by Smith and Waterman. Its cells form the paper's lattice.

#include <filesystem>
#include <optional>

#include "../tiles/tile_methods.hpp"
#include "alignment.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::sw;

/// Measured on one H200. A strip occupies one warp, and a run has a few hundred strips. A tile
/// occupies a block of one warp.
constexpr int strip_threads = 96;
constexpr int tile_blocks_per_sm = 4;

struct request {
  std::string query, target;
  std::int64_t random_query = 0, random_target = 0;
  gap_costs gaps;
  std::vector<std::int64_t> tile_cols{256};
};

/// The sequences and their reference result, which is computed at its first use.
class scene {
 public:
  scene(bench::program& frame, request const& wanted, alignment_input input)
      : app(frame),
        query(name_of(wanted.query)),
        target(name_of(wanted.target)),
        of(std::move(input)) {}

  void require(alignment_result const& found) {
    if (!expected_) expected_ = align_serially(of);
    for (std::size_t s = 0; s < expected_->best.size(); ++s) {
      if (found.best[s] != expected_->best[s])
        throw wrong_result("rows " + std::to_string(s * strip_rows) + " to " +
                           std::to_string((s + 1) * strip_rows - 1) +
                           ": the best cell differs from that of the serial algorithm");
    }
    if (found.last_row != expected_->last_row || found.last_column != expected_->last_column)
      throw wrong_result("the last row or column differs from that of the serial algorithm");
  }

  bench::program& app;
  std::string const query, target;
  alignment_input const of;

 private:
  static std::string name_of(std::filesystem::path const& file) {
    return file.empty() ? "drawn" : file.filename().string();
  }

  std::optional<alignment_result> expected_;
};

struct settings {
  std::optional<int> blocks, threads;
  std::optional<std::int64_t> tile_cols;
  wavefront::tiles::tile_way how{};
};
struct counters {
  std::optional<std::int64_t> depth, score;
  std::int64_t memory_bytes = 0;
};
using row = bench::row_of<scene, settings, counters>;
using method = bench::method<row, wavefront::tiles::tile_traits>;

bench::schema<row> columns() {
  return {
      {"method", "1", "method, see --list", &row::method},
      {"query", "1", "name of the file, or drawn: random residues", &scene::query},
      {"target", "1", "name of the file, or drawn: random residues", &scene::target},
      {"rows", "1", "number of residues of the query, with padding", &scene::of,
       &alignment_input::rows},
      {"cols", "1", "number of residues of the target", &scene::of, &alignment_input::cols},
      {"cells", "1", "number of cells: rows times columns", &scene::of, &alignment_input::cells},
      {"workers", "1", "number of thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads per block", &row::threads},
      {"tile_cols", "1", "columns of a tile", &row::tile_cols},
      {"depth", "1", "number of levels of tiles", &row::depth},
      {"score", "1", "score of the best alignment", &row::score},
      {"memory_bytes", "B", "device memory", &row::memory_bytes}};
}

class serial_work final : public bench::work<row> {
 public:
  serial_work(scene& in, row const& /*what*/) : in_(in) {}
  void run() override { result_ = align_serially(in_.of); }
  void verify() override { in_.require(result_); }
  void record(row& r) const override {
    if (!result_.best.empty()) r.score = result_.score();
  }

 private:
  scene& in_;
  alignment_result result_;
};

aligner_options options_of(scene const& in, row const& what) {
  return {{what.blocks.value(), what.threads.value()},
          static_cast<std::uint32_t>(what.tile_cols.value_or(0)),
          in.app.common().timeout_s};
}
std::unique_ptr<aligner> by_tiles(scene& in, row const& what) {
  return make_tiled(in.app.machine(), in.of, what.how, options_of(in, what));
}
template <bool Free>
std::unique_ptr<aligner> by_strips(scene& in, row const& what) {
  return make_strips(in.app.machine(), in.of, Free, options_of(in, what));
}

/// An aligner on the machine. `Make` makes it from the scene and the row.
template <std::unique_ptr<aligner> (*Make)(scene&, row const&)>
class aligner_work final : public bench::work<row> {
 public:
  aligner_work(scene& in, row const& what) : in_(in), by_(Make(in, what)) {}
  void prepare() override { by_->forget(); }
  void copy_in() override { by_->load(in_.of); }
  void run() override { by_->run(); }
  void copy_out() override { result_ = by_->result(); }
  void check() override { by_->require_done(); }
  void verify() override { in_.require(result_); }
  void record(row& r) const override {
    if (by_->waves() != 0) r.depth = by_->waves();
    if (!result_.best.empty()) r.score = result_.score();
    r.memory_bytes = static_cast<std::int64_t>(by_->bytes());
  }

 private:
  scene& in_;
  std::unique_ptr<aligner> by_;
  alignment_result result_;
};

std::vector<method> const& all_methods() {
  static auto const all = [] {
    auto made = wavefront::tiles::with_tiles<aligner_work<by_tiles>, row>(
        {{.name = "serial",
          .what = "one host thread, row by row",
          .by = bench::origin::rival,
          .host_code = true,
          .make = bench::makes<serial_work>},
         {.name = "strips",
          .what =
              "one warp per strip of rows; a strip polls words for the columns of the strip above",
          .by = bench::origin::ours,
          .takes = "workers threads",
          .make = bench::makes<aligner_work<by_strips<false>>>}},
        "tile-cols workers");
    made.push_back({.name = "strips_free",
                    .what = "strips without waiting; the result is wrong",
                    .by = bench::origin::floor,
                    .takes = "workers threads",
                    .as_it_is = true,
                    .stops = false,
                    .make = bench::makes<aligner_work<by_strips<true>>>});
    return made;
  }();
  return all;
}

std::vector<residue> text_of(std::string const& file, std::int64_t length, std::uint64_t seed) {
  return file.empty() ? draw_residues(static_cast<std::size_t>(length), seed) : read_fasta(file);
}

settings base_of(bench::program& app, method const& one) {
  if (one.host_code) return {};
  bool const tiled = one.takes_option("tile-cols");
  auto shape = app.shape(strip_threads);
  if (tiled) {
    if (app.common().workers == 0 && !app.machine().is_host()) shape.blocks *= tile_blocks_per_sm;
    shape.threads = app.machine().is_host() ? 1 : 32;
  }
  return {shape.blocks, shape.threads, {}, one.traits.how};
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app(
      "wavefront-sw",
      "Aligns two sequences with the Smith-Waterman algorithm, and measures the time.",
      {.threads = true});
  app.options()("query", text_option(wanted.query, "FASTA"),
                "file with the sequences for the rows; they are joined")(
      "target", text_option(wanted.target, "FASTA"),
      "file with the sequences for the columns; they are joined")(
      "random-query", int_option("random-query", wanted.random_query, 0, 1 << 24),
      "number of random residues instead of --query")(
      "random-target", int_option("random-target", wanted.random_target, 0, 1 << 24),
      "number of random residues instead of --target")(
      "gap-open", int_option("gap-open", wanted.gaps.open, 0, 1000),
      "cost of opening a gap, in addition to the cost of its residues")(
      "gap-extend", int_option("gap-extend", wanted.gaps.extend, 1, 1000),
      "cost of each residue of a gap")(
      "tile-cols", int_list_option("tile-cols", wanted.tile_cols, 1, most_tile_cols),
      "columns of a tile of 128 rows; one arm per value");
  bench::methods<row, wavefront::tiles::tile_traits> const ways(
      app, "method", "methods to run, see --list; default: all that the machine supports",
      all_methods());
  app.line().add_rules({{.option = "query", .excludes = {"random-query"}},
                        {.option = "target", .excludes = {"random-target"}}});
  app.line().add_example("--query queries.fasta --target swissprot.fasta",
                         "the joined queries against the joined targets, scored by BLOSUM62");
  app.line().add_example("--random-query 1000 --random-target 5000 --method serial,strips",
                         "random residues");
  if (!app.parse(argc, argv)) return exit_done;
  if (wanted.query.empty() == (wanted.random_query == 0))
    throw usage_error("--query, --random-query: expected exactly one of these options");
  if (wanted.target.empty() == (wanted.random_target == 0))
    throw usage_error("--target, --random-target: expected exactly one of these options");
  app.input("query", wanted.query);
  app.input("target", wanted.target);
  std::uint64_t const seed = app.common().seed;
  scene in(app, wanted,
           make_input(text_of(wanted.query, wanted.random_query, seed),
                      text_of(wanted.target, wanted.random_target, seed + 1), wanted.gaps));
  bench::sweep<settings> over;
  over.over("tile-cols", wanted.tile_cols, &settings::tile_cols);
  auto const arms = ways.arms(
      in, [&](method const& one) { return base_of(app, one); }, over);
  bench::harness<row> all(app, columns());
  all.show("Gcells/s", [](row const& r, double ms) {
    return 1e-6 * static_cast<double>(r.problem->of.cells()) / ms;
  });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }

#include "inputs.hpp"

#include <boost/program_options/value_semantic.hpp>
#include <filesystem>

#include "apps/juggler/problem.hpp"
#include "apps/lud/input.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/same_file.hpp"

namespace gridloom::juggler {

namespace {

std::string file_name(std::string const& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void inputs::add_options(bench::program& app) {
  constexpr int most = 10000;
  auto* const files =
      boost::program_options::value<std::vector<std::string>>(&fasta_)->value_name("FILE");
  app.options()("input", text_option(matrix_file_, "FILE"),
                "lud: a matrix file (see gridloom-matrix); in each row the diagonal element must "
                "be larger than the sum of the others")(
      "image", text_option(image_file_, "FILE.pgm"),
      "sat, int_hist: a grey image with 8 bits per pixel; without it, a random one")(
      "series", text_option(series_, "FILE"),
      "dtw: series in the format of the UCR archive: on each line a class, then numbers")(
      "precision", choice_option("precision", precision_, {"double", "float"}),
      "dtw: type of costs and series")("fasta", files,
                                       "sw: sequences; of two files, one sequence each is used")(
      "pair", int_list_option("pair", pair_, 1),
      "numbers of the two series or sequences in the file, counted from 1; default 1,2, or 1,1 "
      "for two files")("matrix", text_option(scores_file_, "FILE"),
                       "sw: a file of letter scores in NCBI's format, or BLOSUM62")(
      "match", int_option("match", match_, 1, 127), "sw: score of two equal nucleotides")(
      "mismatch", int_option("mismatch", mismatch_, -127, 0),
      "sw: score of two different nucleotides")("gap-open",
                                                int_option("gap-open", gap_open_, 0, most),
                                                "sw: cost of a gap; default 11 with --matrix")(
      "gap-extend", int_option("gap-extend", gap_extend_, 0, most),
      "sw: cost of each letter of a gap, including the first; default 1 with --matrix")(
      "lane-columns", choice_option("lane-columns", lane_columns_, {"auto", "2", "4"}),
      "dtw, sw: columns of a tile in the registers of a lane");
  app.line().add_rules({{.option = "pair", .needs = {"series", "fasta"}},
                        {.option = "matrix", .excludes = {"match", "mismatch"}}});
}

int inputs::lane_columns() const { return lane_columns_ == "auto" ? 0 : std::stoi(lane_columns_); }

app_input const* inputs::first_of(std::vector<std::string> const& options) const {
  for (std::string const& option : options) {
    if (auto const at = from_files.find(option); at != from_files.end()) return &at->second;
  }
  return nullptr;
}

void inputs::read(bench::program& app) {
  if (app.line().given("pair") && pair_.size() != 2)
    throw usage_error("--pair: expected two numbers, got " + std::to_string(pair_.size()));
  if (fasta_.size() > 2)
    throw usage_error("--fasta: expected one or two files, got " + std::to_string(fasta_.size()));
  app.input("input", matrix_file_);
  app.input("image", image_file_);
  app.input("series", series_);
  bool const two_files = fasta_.size() == 2;
  // A file given twice counts as one input.
  bool const is_one = two_files && lead_to_one_file(fasta_.front(), fasta_.back());
  app.inputs("fasta", {fasta_.begin(), fasta_.end() - (is_one ? 1 : 0)});
  if (scores_file_.empty()) {
    scores = sw::nucleotides(match_, mismatch_, gap_open_, gap_extend_);
  } else {
    if (scores_file_ != "BLOSUM62") app.input("matrix", scores_file_);
    // NCBI's defaults for proteins.
    scores = sw::substitution_matrix(scores_file_, app.line().given("gap-open") ? gap_open_ : 11,
                                     app.line().given("gap-extend") ? gap_extend_ : 1);
  }
  if (!image_file_.empty()) {
    auto const image = std::make_shared<grey_image>(read_pgm(image_file_));
    from_files["image"] = {
        .name = file_name(image_file_), .rows = image->rows, .cols = image->cols, .image = image};
  }
  auto const pair = [&](std::int64_t second) {
    return pair_.empty() ? std::vector<std::int64_t>{1, second} : pair_;
  };
  if (!series_.empty()) {
    auto const numbers = pair(2);
    auto const made = std::make_shared<dtw::input>(dtw::input{
        dtw::read_series(series_, numbers[0]), dtw::read_series(series_, numbers[1]), is_single()});
    dtw::require_fit(*made, "--series");
    from_files["series"] = {.name = file_name(series_),
                            .rows = std::ssize(made->x),
                            .cols = std::ssize(made->y),
                            .warped = made};
  }
  if (!fasta_.empty()) {
    auto const numbers = pair(two_files ? 1 : 2);
    auto const made = std::make_shared<sw::input>(
        sw::input{sw::read_fasta(fasta_.front(), numbers[0], scores),
                  sw::read_fasta(fasta_.back(), numbers[1], scores), scores});
    std::string const second = two_files ? " " + file_name(fasta_.back()) : "";
    from_files["fasta"] = {.name = file_name(fasta_.front()) + second,
                           .rows = std::ssize(made->x),
                           .cols = std::ssize(made->y),
                           .aligned = made};
  }
  if (!matrix_file_.empty()) {
    auto const matrix =
        std::make_shared<sparse::csr_matrix<double>>(lud::read_dominant(matrix_file_));
    from_files["input"] = {.name = file_name(matrix_file_),
                           .rows = matrix->num_rows,
                           .cols = matrix->num_rows,
                           .sparse = matrix};
  }
}

}  // namespace gridloom::juggler

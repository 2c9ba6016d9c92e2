#include "strip_inputs.hpp"

#include <boost/program_options/value_semantic.hpp>

#include "file_name.hpp"
#include "goes_with.hpp"
#include "gridloom/files/same_file.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

namespace {

template <class T>
std::int64_t length(std::vector<T> const& of) {
  return static_cast<std::int64_t>(of.size());
}

}  // namespace

void strip_inputs::add_options(bench::program& app) {
  constexpr int most = 10000;
  auto* const files =
      boost::program_options::value<std::vector<std::string>>(&wanted_.fasta)->value_name("FILE");
  app.options()("series", text_option(wanted_.series, "FILE"),
                "dtw: series as the UCR archive has them, a class and numbers a line")(
      "precision", choice_option("precision", wanted_.precision, {"double", "float"}),
      "dtw: of costs")("fasta", files, "sw: sequences; twice: a sequence of each")(
      "pair", int_list_option("pair", wanted_.pair, 1),
      "which two series or sequences of a file, from 1 on; else 1,2, or 1,1 of two files")(
      "matrix", text_option(wanted_.matrix, "FILE"),
      "sw: scores of letters, in NCBI's format, or BLOSUM62")(
      "match", int_option("match", wanted_.match, 1, 127), "sw: score of equal nucleotides")(
      "mismatch", int_option("mismatch", wanted_.mismatch, -127, 0), "sw: score of different ones")(
      "gap-open", int_option("gap-open", wanted_.gap_open, 0, most),
      "sw: cost of a gap; 11 with --matrix")(
      "gap-extend", int_option("gap-extend", wanted_.gap_extend, 0, most),
      "sw: cost of each letter of a gap, the first included; 1 with --matrix")(
      "lane-columns", choice_option("lane-columns", wanted_.lane_columns, {"auto", "2", "4"}),
      "dtw, sw: columns of a tile in the registers of a lane");
}

void strip_inputs::check(command_line const& line, bool has_dtw, bool has_sw) const {
  require_with(line, has_dtw, "--app dtw", {"series", "precision"});
  require_with(line, has_sw, "--app sw",
               {"fasta", "matrix", "match", "mismatch", "gap-open", "gap-extend"});
  require_with(line, has_dtw || has_sw, "--app dtw or sw", {"lane-columns"});
  require_with(line, line.given("series") || line.given("fasta"), "--series or --fasta", {"pair"});
  if (line.given("pair") && wanted_.pair.size() != 2)
    throw usage_error("--pair: expected two numbers, got " + std::to_string(wanted_.pair.size()));
  if (line.given("matrix")) {
    for (char const* option : {"match", "mismatch"}) {
      if (line.given(option))
        throw usage_error("--" + std::string(option) + ": goes without --matrix");
    }
  }
  if (wanted_.fasta.size() > 2)
    throw usage_error("--fasta: expected one or two files, got " +
                      std::to_string(wanted_.fasta.size()));
}

sw::scoring strip_inputs::make_scoring(command_line const& line) const {
  if (wanted_.matrix.empty())
    return sw::nucleotides(wanted_.match, wanted_.mismatch, wanted_.gap_open, wanted_.gap_extend);
  // NCBI's defaults for proteins.
  return sw::substitution_matrix(wanted_.matrix, line.given("gap-open") ? wanted_.gap_open : 11,
                                 line.given("gap-extend") ? wanted_.gap_extend : 1);
}

void strip_inputs::read(bench::program& app, bool has_dtw, bool has_sw) {
  check(app.line(), has_dtw, has_sw);
  if (wanted_.matrix != "BLOSUM62") app.input("matrix", wanted_.matrix);
  app.input("series", wanted_.series);
  bool const two_files = wanted_.fasta.size() == 2;
  // The same file twice is one input.
  bool const is_one = two_files && lead_to_one_file(wanted_.fasta.front(), wanted_.fasta.back());
  app.inputs("fasta", {wanted_.fasta.begin(), wanted_.fasta.end() - (is_one ? 1 : 0)});
  std::vector<std::int64_t> pair = wanted_.pair;
  if (has_dtw && !wanted_.series.empty()) {
    if (pair.empty()) pair = {1, 2};
    warped_ = std::make_shared<dtw::input>(dtw::input{dtw::read_series(wanted_.series, pair[0]),
                                                      dtw::read_series(wanted_.series, pair[1]),
                                                      wanted_.precision == "float"});
    dtw::require_fit(*warped_, "--series");
  }
  if (!has_sw) return;
  by_ = make_scoring(app.line());
  if (wanted_.fasta.empty()) return;
  pair = wanted_.pair;
  if (pair.empty()) pair = {1, two_files ? 1 : 2};
  aligned_ = std::make_shared<sw::input>(
      sw::input{sw::read_fasta(wanted_.fasta.front(), pair[0], by_),
                sw::read_fasta(wanted_.fasta.back(), pair[1], by_), by_});
}

bool strip_inputs::is_from_file(std::string const& app) const {
  return app == "dtw" ? !wanted_.series.empty() : app == "sw" && !wanted_.fasta.empty();
}

void strip_inputs::describe(subject& what) const {
  if (what.app != "dtw" && what.app != "sw") return;
  what.lane_columns = wanted_.lane_columns == "auto" ? 0 : std::stoi(wanted_.lane_columns);
  if (!is_from_file(what.app)) return;
  if (what.app == "dtw") {
    what.warped = warped_;
    what.rows = length(warped_->x);
    what.cols = length(warped_->y);
    what.input = file_name(wanted_.series);
    return;
  }
  what.aligned = aligned_;
  what.rows = length(aligned_->x);
  what.cols = length(aligned_->y);
  what.input = file_name(wanted_.fasta.front());
  if (wanted_.fasta.size() == 2) what.input += " " + file_name(wanted_.fasta.back());
}

void strip_inputs::make(subject& what, std::uint64_t seed) const {
  if (what.app == "dtw" && !what.warped)
    what.warped = std::make_shared<dtw::input>(
        dtw::make_input(what.rows, seed, wanted_.precision == "float"));
  if (what.app == "sw" && !what.aligned)
    what.aligned = std::make_shared<sw::input>(sw::make_input(what.rows, seed, by_));
}

}  // namespace gridloom::juggler

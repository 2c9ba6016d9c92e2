#include "gridloom/bench/options.hpp"

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <iostream>

#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/file_lock.hpp"
#include "gridloom/parse.hpp"
#include "help.hpp"

namespace gridloom {
namespace {

namespace po = boost::program_options;

constexpr int most_devices = 1024;
constexpr int most_workers = 1 << 20;
// Limit of a CUDA thread block.
constexpr int most_threads = 1024;
constexpr int most_repetitions = 1000000;
constexpr double shortest_timeout_s = 0.001;
constexpr double longest_timeout_s = 1e6;

// Boost would take "--quiet" in "--output --quiet" as the file name, but the name is missing.
void refuse_swallowed(po::options_description const& all, po::parsed_options const& parsed) {
  for (po::option const& option : parsed.options) {
    for (std::string const& text : option.value) {
      if (text == "--") throw usage_error("--" + option.string_key + ": expected a value, got --");
      std::string const name = text.substr(0, text.find('='));
      // Boost finds every option for an empty name.
      if (name.starts_with("--") && name.size() > 2 &&
          all.find_nothrow(name.substr(2), false) != nullptr) {
        throw usage_error("--" + option.string_key + ": expected a value, got the option " + name);
      }
    }
  }
}

void refuse_leftovers(po::parsed_options const& parsed) {
  for (po::option const& option : parsed.options) {
    if (option.position_key >= 0 && !option.value.empty()) {
      throw usage_error("unexpected argument " + in_quotes(option.value.front()) +
                        ": expected options only, see --help");
    }
  }
}

po::parsed_options parse_tokens(int argc, char const* const* argv,
                                po::options_description const& all) {
  namespace style = po::command_line_style;
  // Abbreviations are off, because a new option could change the meaning of an abbreviation.
  return po::command_line_parser(argc, argv)
      .options(all)
      .style(style::unix_style & ~style::allow_guessing)
      .run();
}

// Runs a step of Boost and converts its exceptions to usage_error.
template <typename Step>
auto explained(Step&& step) {
  try {
    return step();
  } catch (po::unknown_option const& error) {
    throw usage_error(error.get_option_name() + ": unknown option, see --help");
  } catch (po::multiple_occurrences const& error) {
    throw usage_error(error.get_option_name() + ": given more than once, expected once");
  } catch (po::invalid_command_line_syntax const& error) {
    bool const missing = error.kind() == po::invalid_syntax::missing_parameter ||
                         error.kind() == po::invalid_syntax::empty_adjacent_parameter;
    throw usage_error(error.get_option_name() + ": expected " + (missing ? "a" : "no") + " value");
  } catch (po::error const& error) {
    throw usage_error(std::string{error.what()} + "; see --help");
  }
}

}  // namespace

command_line::command_line(std::string program, std::string purpose)
    : program_{std::move(program)}, purpose_{std::move(purpose)}, common_group_{common_group()} {}

po::options_description command_line::common_group() {
  common_options& to = common_;
  po::options_description group{"Common options"};
  auto add = group.add_options();
  add("backend", choice_option("backend", to.backend, {"auto", "host", "cuda"}),
      "where methods run; auto: cuda if there is a device, else host");
  add("device", int_option("device", to.device, 0, most_devices - 1), "index of the CUDA device");
  add("workers", int_option("workers", to.workers, 0, most_workers),
      "number of thread blocks or host threads; 0: all that fit");
  add("threads", int_option("threads", to.threads, 0, most_threads),
      "threads per block; 0: the program's choice; on the host a worker always is one thread");
  add("repeat", int_option("repeat", to.repeat, 1, most_repetitions), "measured repetitions");
  add("warmup", int_option("warmup", to.warmup, 0, most_repetitions),
      "repetitions before the measured ones");
  add("setup-samples", int_option("setup-samples", to.setup_samples, 0, most_repetitions),
      "samples of the set-up; 0: one per repetition, for at most a second");
  add("seed", unsigned_option("seed", to.seed), "seed of all random choices");
  add("no-verify", po::bool_switch(), "do not check results");
  add("label", text_option(to.label), "name of the experiment, stored with the results");
  add("trace", text_option(to.trace, "FILE"),
      "write the times of all tasks to an HDF5 file, which scripts/trace_to_perfetto converts");
  add("output", text_option(to.output, "FILE.h5"), "write the results to an HDF5 file");
  add("append", po::bool_switch(&to.append), "add to the output file instead of replacing it");
  add("timeout-s", real_option("timeout-s", to.timeout_s, shortest_timeout_s, longest_timeout_s),
      "time limit of a run in seconds; default methods that it cannot end are left out");
  add("quiet", po::bool_switch(&to.quiet), "show no progress, even on a terminal");
  add("list", po::bool_switch(), "print the available methods and inputs, and exit");
  add("help,h", po::bool_switch(), "print this help, and exit");
  add("version", po::bool_switch(), "print the version, and exit");
  return group;
}

void command_line::add_group(po::options_description const& group) { groups_.push_back(group); }

void command_line::add_example(std::string arguments, std::string what) {
  examples_.emplace_back(std::move(arguments), std::move(what));
}

bool command_line::parse(int argc, char const* const* argv) { return parse(argc, argv, std::cout); }

bool command_line::parse(int argc, char const* const* argv, std::ostream& out) {
  po::options_description all;
  for (auto const& group : groups_) all.add(group);
  all.add(common_group_);
  po::parsed_options const parsed = explained([&] { return parse_tokens(argc, argv, all); });
  refuse_leftovers(parsed);
  refuse_swallowed(all, parsed);
  explained([&] { po::store(parsed, values_); });

  // This comes before the values are checked, because --help must also work with bad values.
  if (values_["help"].as<bool>()) {
    print_help(out);
    return false;
  }
  if (values_["version"].as<bool>()) {
    out << program_ << ' ' << version() << " (commit " << build_commit()
        << (build_dirty() ? ", changed" : "") << ")\n";
    return false;
  }
  if (values_["list"].as<bool>()) {
    out << list_ << (list_.empty() || list_.ends_with('\n') ? "" : "\n");
    return false;
  }
  check_refused();
  check_rules();
  explained([&] { po::notify(values_); });
  common_.verify = !values_["no-verify"].as<bool>();
  check_files();
  return true;
}

void command_line::refuse(std::string option, std::string reason) {
  refused_[std::move(option)] = std::move(reason);
}

void command_line::check_refused() const {
  for (auto const& [option, reason] : refused_) {
    if (given(option)) throw usage_error("--" + option + ": leave this option out: " + reason);
  }
}

void command_line::add_rules(std::vector<option_rule> const& rules) {
  rules_.insert(rules_.end(), rules.begin(), rules.end());
}

void command_line::check_rules() const {
  auto const is_true = [this](std::string const& condition) { return holds(condition); };
  for (auto const& [option, needs, excludes, on_host] : rules_) {
    if (!given(option)) continue;
    if (!needs.empty() && std::none_of(needs.begin(), needs.end(), is_true)) {
      throw usage_error("--" + option + ": goes with --" + joined(needs, " or --"));
    }
    auto const other = std::find_if(excludes.begin(), excludes.end(), is_true);
    if (other != excludes.end()) throw usage_error("--" + option + ": cannot go with --" + *other);
  }
}

// Whether an option, or an option with a value, is as a rule says.
bool command_line::holds(std::string const& condition) const {
  std::size_t const blank = condition.find(' ');
  if (blank == std::string::npos) return given(condition);
  std::string const values = values_[condition.substr(0, blank)].as<std::string>();
  return ("," + values + ",").find("," + condition.substr(blank + 1) + ",") != std::string::npos;
}

void command_line::check_host_rules() const {
  for (option_rule const& rule : rules_) {
    if (!rule.not_on_host.empty() && given(rule.option))
      throw usage_error("--" + rule.option + ": " + rule.not_on_host);
  }
}

void command_line::check_files() const {
  if (given("output")) require_writable(common_.output);
  if (given("trace")) require_writable(common_.trace, "--trace");
  if (common_.append && !given("output")) {
    throw usage_error("--append: expected --output FILE, the file to add to");
  }
  require_different_files({{"--output", common_.output}, {"--trace", common_.trace}});
  if (!common_.append) return;
  std::string const lock = lock_name_of(common_.output);
  require_different_files({{"the lock file of --output", lock}, {"--trace", common_.trace}});
  require_lock_name(common_.output);
}

bool command_line::given(std::string const& name) const {
  auto const found = values_.find(name);
  return found != values_.end() && !found->second.empty() && !found->second.defaulted();
}

void command_line::print_help(std::ostream& out) const {
  print_wrapped(out, 0, purpose_);
  out << "\nUsage: " << program_ << " [options]\n\n";
  for (auto const& group : groups_) print_options(out, group, refused_);
  print_options(out, common_group_, refused_);
  if (!examples_.empty()) out << "Examples:\n";
  for (auto const& [arguments, what] : examples_) {
    print_wrapped(out, 2, program_ + ' ' + arguments);
    print_wrapped(out, 6, what);
  }
  if (!examples_.empty()) out << '\n';
  print_wrapped(out, 0,
                "Exit codes: 0 done; 1 failed (verification, timeout, device error); 2 bad usage "
                "or input.");
}

}  // namespace gridloom

#include "gridloom/bench/methods.hpp"

#include <boost/program_options/value_semantic.hpp>
#include <iterator>

#include "gridloom/error.hpp"

namespace gridloom::bench {

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

bool has_word(std::string_view words, std::string_view word) {
  auto const all = words_of(words);
  return std::find(all.begin(), all.end(), word) != all.end();
}

namespace {

std::string_view text_of(origin by) {
  switch (by) {
    case origin::published: return "published: ";
    case origin::rival: return "rival: ";
    case origin::ours: return "ours: ";
    case origin::floor: return "floor: ";
    case origin::unsaid: break;
  }
  return "";
}

}  // namespace

method_choice::method_choice(program& frame, std::string option, std::string const& text,
                             std::vector<method_facts> all, std::vector<std::string> standard)
    : frame_(frame), option_(std::move(option)), all_(std::move(all)), names_(std::move(standard)) {
  frame.options()(option_.c_str(),
                  choice_list_option(option_, names_, names_of<method_facts>(all_)), text.c_str());
  frame.options()("skip-missing", boost::program_options::bool_switch(&skips_missing_),
                  "leave out methods that the machine does not support");
  frame.line().set_list(list());
}

std::string method_choice::list() const {
  std::string text;
  for (method_facts const& one : all_) {
    text += one.name + ": " + std::string(text_of(one.by)) + one.what +
            (!one.on_host   ? " (CUDA only)"
             : !one.on_cuda ? " (host only)"
                            : "") +
            "\n";
  }
  return text;
}

std::string method_choice::why_not_here(method_facts const& one) const {
  auto const& machine = frame_.machine().properties();
  bool const host = frame_.machine().is_host();
  if (host && !one.on_host) return "expected a CUDA device, got the host";
  if (!host && !one.on_cuda) return "expected --backend host, got a CUDA device";
  if (host || machine.compute_capability >= one.needs) return "";
  auto const text = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return "expected a GPU of compute capability " + text(one.needs) + " or above, got " +
         machine.name + " with " + text(machine.compute_capability);
}

std::vector<std::size_t> method_choice::chosen() const {
  std::vector<std::size_t> found;
  for (std::string const& name : names_) {
    method_facts const& one = named<method_facts>(all_, name, "--" + option_);
    if (std::string const why_not = why_not_here(one); !why_not.empty()) {
      if (skips_missing_) continue;
      throw unsupported("--" + option_ + " " + name + ": " + why_not);
    }
    if (!frame_.line().given(option_) && outlasts_limit(one)) continue;
    found.push_back(static_cast<std::size_t>(&one - all_.data()));
  }
  for (std::size_t place = 0; names_.empty() && place < all_.size(); ++place) {
    if (why_not_here(all_[place]).empty() && !outlasts_limit(all_[place])) found.push_back(place);
  }
  if (found.empty())
    throw unsupported("--" + option_ + ": the machine supports none of the chosen ones");
  check_options(found);
  return found;
}

bool method_choice::outlasts_limit(method_facts const& one) const {
  bool const stops = one.stops && (one.stops_on_cuda || frame_.machine().is_host());
  return !stops && frame_.line().given("timeout-s");
}

bool method_choice::is_taken(std::string_view option) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](method_facts const& one) { return has_word(one.takes, option); });
}

void method_choice::require_goes_with(std::string const& option,
                                      std::vector<std::string> const& names) const {
  if (!frame_.line().given(option_)) return;
  for (std::size_t const place : chosen()) {
    auto const& one = all_[place];
    auto const is_named = [&](auto const& name) { return has_word(one.goes_with, name); };
    if (one.goes_with.empty() || std::any_of(names.begin(), names.end(), is_named)) continue;
    throw usage_error("--" + option_ + " " + one.name + ": goes with --" + option + " " +
                      joined(words_of(one.goes_with), " or "));
  }
}

void method_choice::check_options(std::vector<std::size_t> const& chosen) const {
  std::vector<method_facts const*> entries;
  for (std::size_t const place : chosen) entries.push_back(&all_[place]);
  require_takers<method_facts>(frame_.line(), option_, all_, entries);
  for (method_facts const* one : entries) {
    if (outlasts_limit(*one))
      throw usage_error("--timeout-s: nothing can stop " + one->name +
                        " while it runs; run it without --timeout-s");
  }
}

}  // namespace gridloom::bench

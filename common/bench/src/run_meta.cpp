#include "gridloom/bench/run_meta.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "gridloom/bench/build_info.hpp"

namespace gridloom {
namespace {

std::string utc_date() {
  std::time_t const now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&now, &parts) == nullptr) return "unknown";
  std::size_t const length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

std::string host_name() {
  std::array<char, 257> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

std::string shell_quoted(std::string const& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char const letter : word) {
    if (letter == '\'') {
      quoted += "'\\''";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

std::string command_text(int argc, char const* const* argv) {
  std::string text;
  for (int i = 0; i < argc && argv[i] != nullptr; ++i) {
    std::string word = argv[i];
    // The folder of the program is omitted.
    if (i == 0) word = std::filesystem::path{word}.filename().string();
    if (i > 0) text += ' ';
    text += shell_quoted(word);
  }
  return text;
}

}  // namespace

void run_meta::set(std::string name, std::string value) {
  for (attribute& known : attributes) {
    if (known.name == name) {
      known.value = std::move(value);
      return;
    }
  }
  attributes.push_back({std::move(name), std::move(value)});
}

void run_meta::set(std::string name, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  set(std::move(name), std::string(text));
}

std::optional<std::string> run_meta::get(std::string_view name) const {
  for (attribute const& known : attributes) {
    if (known.name == name) return known.value;
  }
  return std::nullopt;
}

run_meta collect_meta(std::string program, int argc, char const* const* argv) {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", std::move(program));
  meta.set("version", std::string{version()});
  meta.set("argv", command_text(argc, argv));
  meta.set("commit", std::string{build_commit()});
  meta.set("dirty", build_dirty() ? "1" : "0");
  meta.set("date", utc_date());
  meta.set("host", host_name());
  meta.set("cpu", processor_name());
  unsigned const cores = std::thread::hardware_concurrency();
  meta.set("logical_cores", cores == 0 ? "unknown" : std::to_string(cores));
  meta.set("compilers", std::string{build_compilers()});
  meta.set("flags", std::string{build_flags()});
  return meta;
}

run_meta collect_meta(std::string program, int argc, char const* const* argv,
                      device_properties const& machine, common_options const& common) {
  run_meta meta = collect_meta(std::move(program), argc, argv);
  meta.set("backend", machine.backend);
  meta.set("gpu", machine.backend == "host" ? "none" : machine.name);
  meta.set("driver", machine.driver);
  meta.set("cuda", machine.runtime);
  meta.set("multiprocessors", std::to_string(machine.multiprocessors));
  meta.set("seed", std::to_string(common.seed));
  meta.set("repeat", std::to_string(common.repeat));
  meta.set("warmup", std::to_string(common.warmup));
  meta.set("verify", common.verify ? "1" : "0");
  meta.set("timeout_s", common.timeout_s);
  return meta;
}

}  // namespace gridloom

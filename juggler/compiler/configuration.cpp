#include "compiler/configuration.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace gridloom::juggler::cc {

namespace fs = std::filesystem;

configuration read_configuration() {
  fs::path const root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  fs::path const file = root / "share/gridloom/juggler-cc.conf";
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string() + ", which the build writes");
  configuration result;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    std::size_t const equals = line.find('=');
    std::string const key = line.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
    if (std::string const mark = "@root@"; value.rfind(mark, 0) == 0)
      value = root.string() + value.substr(mark.size());
    if (key == "compiler") {
      result.compiler = value;
    } else if (key == "nvcc") {
      result.nvcc = value;
    } else if (key == "architecture") {
      result.architecture = value;
    } else if (key == "has_cuda") {
      result.has_cuda = value == "1";
    } else if (key == "include") {
      result.includes.push_back(value);
    } else if (key == "library") {
      result.libraries.push_back(value);
    } else {
      throw std::runtime_error(file.string() + ": unknown entry '" + line + "'");
    }
  }
  return result;
}

}  // namespace gridloom::juggler::cc

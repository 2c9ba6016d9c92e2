#include "compiler/configuration.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
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

int run_command(std::vector<std::string> const& words) {
  std::cout.flush();
  pid_t const child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    std::vector<char*> arguments;
    for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::cerr << "juggler-cc: cannot run " << words[0] << '\n';
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

temporary_folder::temporary_folder() {
  std::string name = (fs::temp_directory_path() / "juggler-cc.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder " + name);
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gridloom::juggler::cc

#include "gridloom/files/atomic_file.hpp"

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/files/same_file.hpp"
#include "temporary_file.hpp"

namespace gridloom {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

bool is_link(std::filesystem::path const& path) {
  std::error_code none_there;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, none_there));
}

// The files_together of this thread, or null.
thread_local files_together::state* collecting = nullptr;

[[noreturn]] void fail(std::filesystem::path const& path, int error) {
  throw run_error(path.string() + ": cannot write: " + reason(error));
}

}  // namespace

struct files_together::state {
  struct part {
    std::filesystem::path path;
    std::unique_ptr<temporary_file> file;
  };
  // The members are destroyed in reverse order, so locks are released after all files are removed.
  std::vector<std::shared_ptr<void const>> kept;
  std::vector<part> parts;
};

namespace {

// `fill` writes the contents and returns 0 or the error number.
template <typename Fill>
void replace(std::filesystem::path const& path, Fill const& fill) {
  std::filesystem::path const target = destination_of(path);
  // If links form a circle, the rename would replace a link.
  if (is_link(target)) fail(path, ELOOP);
  auto temporary = std::make_unique<temporary_file>(target);
  int error = temporary->error();
  if (error == 0) error = fill(*temporary);
  if (error == 0) error = temporary->finish();
  if (error == 0 && collecting != nullptr) {
    collecting->parts.push_back({path, std::move(temporary)});
    return;
  }
  if (error == 0) error = temporary->replace_target();
  if (error != 0) fail(path, error);
}

}  // namespace

files_together::files_together() : state_{std::make_unique<state>()} {
  if (collecting != nullptr) throw std::invalid_argument("files_together: one at a time a thread");
  collecting = state_.get();
}

files_together::~files_together() {
  if (collecting == state_.get()) collecting = nullptr;
}

void files_together::put_in_place() {
  auto& parts = state_->parts;
  std::size_t done = 0;
  int error = 0;
  {
    signals_wait const whole;
    if (whole.too_late() && !parts.empty()) error = EINTR;
    while (error == 0 && done < parts.size()) {
      temporary_file& file = *parts[done].file;
      error = done + 1 < parts.size() ? file.exchange_with_target() : file.replace_target();
      if (error == 0) ++done;
    }
    if (error != 0) {
      for (std::size_t k = 0; k < done; ++k) parts[k].file->undo();
    }
  }
  if (error != 0) {
    std::filesystem::path const failed = parts[done].path;
    parts.clear();
    fail(failed, error);
  }
  // Removes the old files, which now have the temporary names.
  parts.clear();
  state_->kept.clear();
}

void until_in_place(std::shared_ptr<void const> owner) {
  if (collecting != nullptr) collecting->kept.push_back(std::move(owner));
}

void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes) {
  replace(path, [&](temporary_file& file) { return file.append(bytes); });
}

void replace_file(std::filesystem::path const& path,
                  std::function<bool(std::vector<std::byte>& piece)> const& next) {
  replace(path, [&](temporary_file& file) {
    int error = 0;
    for (std::vector<std::byte> piece; error == 0 && next(piece);) error = file.append(piece);
    return error;
  });
}

std::string probe_beside(std::filesystem::path const& path) {
  std::filesystem::path const target = destination_of(path);
  if (is_link(target)) return reason(ELOOP);
  temporary_file const temporary{target};
  return temporary.error() == 0 ? std::string{} : reason(temporary.error());
}

}  // namespace gridloom

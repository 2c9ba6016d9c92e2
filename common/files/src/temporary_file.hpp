#pragma once
// A file under a temporary name beside its target. It replaces the target in one step.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "temporary_names.hpp"

namespace gridloom {

/// Each step returns 0 or the error number. The destructor, or a signal that ends the process,
/// removes the file if it has not replaced its target.
class temporary_file {
 public:
  /// Creates the file, or sets error(). The process id and a counter make the name unique.
  explicit temporary_file(std::filesystem::path const& target);
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file();

  [[nodiscard]] int error() const { return name_->error(); }
  [[nodiscard]] std::string const& name() const { return name_->name(); }

  [[nodiscard]] int append(std::span<std::byte const> bytes);
  /// Flushes and closes the file. Network file systems report a full disk only at close(2).
  [[nodiscard]] int finish();

  /// Allocates no memory, like the functions below (see signals_wait).
  [[nodiscard]] int replace_target();
  /// Replaces the target. The old file gets the temporary name, so that undo() can restore it. On
  /// file systems that cannot exchange two names, the old file is lost.
  [[nodiscard]] int exchange_with_target();
  void undo();

 private:
  enum class at { own_name, target, exchanged };

  std::filesystem::path target_;
  std::unique_ptr<temporary_name> name_;
  int fd_;
  at is_ = at::own_name;
};

}  // namespace gridloom

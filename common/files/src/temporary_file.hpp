#pragma once
// A file under a temporary name beside its target, which it replaces in one step.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "temporary_names.hpp"

namespace gridloom {

/// Each step returns 0 or the error number. What is not in its place in the end is removed; so it is
/// when a signal ends the process.
class temporary_file {
 public:
  /// Creates the file, with an error() if need be; the process id and a count make the name new.
  explicit temporary_file(std::filesystem::path const& target);
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file();

  [[nodiscard]] int error() const { return name_->error(); }
  [[nodiscard]] std::string const& name() const { return name_->name(); }

  [[nodiscard]] int append(std::span<std::byte const> bytes);
  /// Flushes and closes. The result of close(2): network file systems report a full disk only here.
  [[nodiscard]] int finish();

  /// These allocate nothing (see signals_wait).
  [[nodiscard]] int replace_target();
  /// The same so that it can be undone: the old file lives on under the temporary name. On file
  /// systems that cannot exchange two names an old file is lost all the same.
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

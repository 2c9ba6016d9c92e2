#pragma once
// Reading HDF5 files in a process of its own.
//
// The HDF5 library believes what a file says of itself: bytes changed in the metadata of a file
// make it write beyond its buffers, divide by zero or run for ever, in calls as harmless as opening
// a group, and before anything could be checked (1.10 and 1.14 both do). So no file is given to the
// library in the process that asks for it: a child reads it, checks it and sends what it holds
// through a pipe. When the child dies, the file is damaged. Large arrays that lie in the file as
// they are in memory are not sent: the child says where they lie, and the parent reads them.
// Not part of the public headers.

#include <H5Cpp.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"

namespace gridloom::hdf5 {

/// Bounds the wall time of each child from now on: so many seconds (1 to 110, the default), and ten
/// more for each quarter of a MiB of its file. Any thread.
void limit_reading(double seconds);

/// The child's end. What is sent in some order is received in the same.
class sender {
 public:
  explicit sender(int pipe) : pipe_{pipe} {}

  void number(std::uint64_t value);
  void text(std::string const& value);
  void texts(std::vector<std::string> const& values);
  void bytes(std::span<std::byte const> values);
  /// All numbers of a dataset, or where they lie. Throws usage_error as read_numbers does.
  template <typename Number>
  void numbers(H5::DataSet const& dataset, std::string const& place);

  /// The last words: how the child ended.
  void finish();
  void fail(bool by_the_users_fault, std::string const& message);

 private:
  void frame(char kind, void const* data, std::size_t bytes);

  int pipe_;
};

/// The parent's end. All throw what the child threw, and usage_error naming the file when the child
/// died or did not send what is expected; run_error when a signal of others ended it, such as SIGHUP.
/// What this process ignores, its child ignores too.
class receiver {
 public:
  /// Starts the child: `work` runs there, with a sender. Its processor time is bounded, by
  /// what no sound file of its size and `more_bytes` needs.
  receiver(std::filesystem::path const& path, std::function<void(sender&)> const& work,
           std::uint64_t more_bytes = 0);
  receiver(receiver const&) = delete;
  receiver& operator=(receiver const&) = delete;
  /// Ends the child if it is still there.
  ~receiver();

  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::string text();
  [[nodiscard]] std::vector<std::string> texts();
  [[nodiscard]] std::vector<std::byte> bytes();
  template <typename Number>
  [[nodiscard]] std::vector<Number> numbers();

  /// Of the file, before the child reads it.
  [[nodiscard]] std::uint64_t file_bytes() const { return file_.size(); }

  /// After the last piece: the child came to a good end.
  void finish();

  /// Whether the name still leads to the file that was opened here before the child opened it.
  [[nodiscard]] bool is_current() const;

 private:
  struct header {
    char kind;
    std::uint64_t bytes;
  };

  [[nodiscard]] header next();
  [[nodiscard]] header expect(char kind);
  void read_pipe(void* room, std::size_t bytes);
  [[noreturn]] void refuse();

  std::filesystem::path path_;
  input_file file_;
  unsigned wall_s_ = 0;
  int pipe_ = -1;
  pid_t child_ = -1;
};

/// Runs `send(sender&)` in a child and returns what `take(receiver&)` makes of it. Throws
/// usage_error in one line, also when the library fails on the file.
template <typename Take>
auto read_apart(std::filesystem::path const& path, std::function<void(sender&)> const& send,
                Take const& take) {
  // Somebody who appends replaces the file; then the new one is read.
  constexpr int most_attempts = 100;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    receiver from{path, send};
    try {
      auto made = take(from);
      from.finish();
      if (from.is_current()) return made;
    } catch (std::bad_alloc const&) {
      throw usage_error(path.string() + ": does not fit into memory");
    } catch (usage_error const&) {
      if (from.is_current()) throw;
    } catch (std::logic_error const&) {
      // Pieces that do not fit together: the child sent them with a damaged heap.
      if (from.is_current()) throw usage_error(path.string() + ": damaged HDF5 file");
    }
  }
  throw usage_error(path.string() + ": is replaced again and again while it is read");
}

}  // namespace gridloom::hdf5

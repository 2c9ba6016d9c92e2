// Tests of input files, output files, links, locks and signals.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/file_lock.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/files/same_file.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(files_test)

using namespace gridloom;
using namespace gridloom::test;
namespace fs = std::filesystem;

namespace {

void replace_by_text(fs::path const& path, std::string const& text) {
  replace_file(path, std::as_bytes(std::span{text}));
}

// Runs the body in a child process, without the handlers of Boost.Test.
template <typename Body>
pid_t start_child(Body body) {
  pid_t const child = ::fork();
  if (child != 0) return child;
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(signal, SIG_DFL);
  int code = 9;
  try {
    code = body();
  } catch (...) {
    code = 8;
  }
  ::_exit(code);
}

int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_regular_files_are_inputs) {
  scratch_folder const folder;
  fs::path const pipe = folder / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  auto const refusal = [](fs::path const& path) {
    return message_of<usage_error>([&] { input_file const file{path}; });
  };
  BOOST_TEST(refusal(pipe) == pipe.string() + ": expected a regular file, got a pipe");
  BOOST_TEST(refusal("/dev/zero") == "/dev/zero: expected a regular file, got a device");
  BOOST_TEST(refusal(folder.path()).ends_with(": expected a regular file, got a folder"));
  BOOST_TEST(refusal(folder / "absent").ends_with(": cannot read: No such file or directory"));
  fs::create_symlink(pipe, folder / "link");
  BOOST_TEST(refusal(folder / "link").ends_with("got a pipe"));
}

BOOST_AUTO_TEST_CASE(an_input_is_read_on_and_at_places) {
  scratch_folder const folder;
  input_file file{write_text(folder / "text", "0123456789")};
  std::string room(4, ' ');
  BOOST_TEST(file.size() == 10U);
  BOOST_TEST(file.read(room.data(), 4) == 4U);
  BOOST_TEST(room == "0123");
  BOOST_TEST(file.read_at(8, room.data(), 4) == 2U);
  BOOST_TEST(room.substr(0, 2) == "89");
  BOOST_TEST(file.read(room.data(), 4) == 4U);
  BOOST_TEST(room == "4567");
}

BOOST_AUTO_TEST_CASE(names_of_one_file_are_found_out_before_it_is_there) {
  scratch_folder const folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("new.h5", folder / "link.h5");
  fs::create_directory_symlink("sub", folder / "other");
  fs::path const file = folder / "new.h5";
  BOOST_TEST(lead_to_one_file(file, folder / "sub/../new.h5"));
  BOOST_TEST(lead_to_one_file(file, folder / "./new.h5"));
  BOOST_TEST(lead_to_one_file(file, folder / "link.h5"));
  BOOST_TEST(lead_to_one_file(folder / "sub/x", folder / "other/x"));
  BOOST_TEST(!lead_to_one_file(file, folder / "sub/new.h5"));
  write_text(file, "x");
  fs::create_hard_link(file, folder / "hard.h5");
  BOOST_TEST(lead_to_one_file(file, folder / "hard.h5"));
}

BOOST_AUTO_TEST_CASE(a_link_to_a_missing_file_is_followed_and_kept) {
  scratch_folder const folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/real.txt", folder / "link.txt");
  fs::create_symlink("link.txt", folder / "second.txt");
  replace_by_text(folder / "second.txt", "made");
  BOOST_TEST(fs::is_symlink(folder / "second.txt"));
  BOOST_TEST(fs::is_symlink(folder / "link.txt"));
  BOOST_TEST(read_text(folder / "sub/real.txt") == "made");
  replace_by_text(folder / "link.txt", "again");
  BOOST_TEST(read_text(folder / "sub/real.txt") == "again");
}

BOOST_AUTO_TEST_CASE(links_that_lead_in_a_circle_stay) {
  scratch_folder const folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  BOOST_TEST(message_of<run_error>([&] {
               replace_by_text(folder / "a", "x");
             }).starts_with((folder / "a").string() + ": cannot write: "));
  BOOST_TEST(!probe_beside(folder / "a").empty());
  BOOST_TEST(folder.names() == (std::vector<std::string>{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(a_signal_removes_unfinished_files_whichever_thread_handles_it) {
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    scratch_folder const folder;
    write_text(folder / "out", "old");
    pid_t const child = start_child([&] {
      // The main thread receives the signal, because the writing thread blocks all signals.
      std::atomic<bool> writing{false};
      std::thread writer([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        replace_file(folder / "out", [&](std::vector<std::byte>& piece) {
          piece.assign(1, std::byte{'x'});
          writing = true;
          return true;
        });
      });
      while (!writing) std::this_thread::yield();
      ::kill(::getpid(), signal);
      for (;;) ::pause();
      return 0;
    });
    int const status = status_of(child);
    BOOST_REQUIRE(WIFSIGNALED(status));
    BOOST_TEST(WTERMSIG(status) == signal);
    BOOST_TEST(folder.names() == std::vector<std::string>{"out"});
    BOOST_TEST(read_text(folder / "out") == "old");
  }
}

BOOST_AUTO_TEST_CASE(files_together_take_their_places_at_once) {
  scratch_folder const folder;
  write_text(folder / "old", "before");
  {
    files_together files;
    replace_by_text(folder / "old", "after");
    replace_by_text(folder / "new", "made");
    BOOST_TEST(read_text(folder / "old") == "before");
    BOOST_TEST(!fs::exists(folder / "new"));
    BOOST_CHECK_THROW(files_together{}, std::invalid_argument);
    files.put_in_place();
  }
  BOOST_TEST(read_text(folder / "old") == "after");
  BOOST_TEST(read_text(folder / "new") == "made");
  // Without a files_together, a file is replaced at once.
  replace_by_text(folder / "new", "alone");
  BOOST_TEST(read_text(folder / "new") == "alone");
  BOOST_TEST(folder.names() == (std::vector<std::string>{"new", "old"}));
}

BOOST_AUTO_TEST_CASE(if_one_file_fails_none_of_its_group_appears) {
  scratch_folder const folder;
  write_text(folder / "old", "before");
  fs::create_directory(folder / "sub");
  auto const all_fail = [&](auto const& spoil) {
    std::string const words = message_of<run_error>([&] {
      files_together files;
      replace_by_text(folder / "old", "after");
      replace_by_text(folder / "new", "made");
      replace_by_text(folder / "sub" / "last", "made");
      spoil();
      files.put_in_place();
    });
    BOOST_TEST(words.starts_with((folder / "sub" / "last").string() + ": cannot write: "));
    BOOST_TEST(read_text(folder / "old") == "before");
  };
  // A folder now has the name of the last file.
  all_fail([&] { fs::create_directory(folder / "sub" / "last"); });
  BOOST_TEST(folder.names() == (std::vector<std::string>{"old", "sub"}));
  all_fail([&] { fs::remove_all(folder / "sub"); });
  BOOST_TEST(folder.names() == std::vector<std::string>{"old"});
}

// The signal comes just after the first file was put in place.
BOOST_AUTO_TEST_CASE(a_signal_finds_all_files_in_place_or_none) {
  std::vector<std::string> names;
  for (char name = 'a'; name <= 'p'; ++name) names.emplace_back(1, name);
  for (int turn = 0; turn < 10; ++turn) {
    scratch_folder const folder;
    for (std::string const& name : names) write_text(folder / name, "old");
    pid_t const child = start_child([&] {
      std::string const first = (folder / names.front()).string();
      struct stat before {};
      ::stat(first.c_str(), &before);
      std::thread([&, now = before]() mutable {
        while (now.st_ino == before.st_ino) ::stat(first.c_str(), &now);
        ::kill(::getpid(), SIGTERM);
      }).detach();
      files_together files;
      // These locks take the first places of the list that a signal removes. Later files reuse
      // those places, so removal does not follow the order of names.
      std::vector<std::unique_ptr<file_lock>> held;
      for (int k = 0; k < 8; ++k) {
        held.push_back(std::make_unique<file_lock>(folder / std::to_string(k), 60));
      }
      for (std::string const& name : names) {
        if (name == "i") held.clear();
        replace_by_text(folder / name, "new");
      }
      files.put_in_place();
      for (;;) ::pause();
      return 0;
    });
    BOOST_TEST(WIFSIGNALED(status_of(child)));
    BOOST_TEST(folder.names() == names);
    for (std::string const& name : names) BOOST_TEST(read_text(folder / name) == "new");
  }
}

BOOST_AUTO_TEST_CASE(waiting_for_a_lock_ends_at_the_time_limit) {
  scratch_folder const folder;
  fs::path const path = folder / "out.h5";
  {
    file_lock const held{path, 60};
    BOOST_TEST(folder.names() == std::vector<std::string>{"out.h5.lock"});
    pid_t const child = start_child([&] {
      std::string const message = message_of<usage_error>([&] {
        file_lock const second{path, 0.1};
      });
      return message.find("another program still adds to it") == std::string::npos ? 4 : 3;
    });
    int const status = status_of(child);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 3);
  }
  BOOST_TEST(folder.names().empty());
  file_lock const again{path, 60};
}

// Each process adds to a number in a file. If an update is lost, the sum is too small.
BOOST_AUTO_TEST_CASE(a_lock_lets_one_process_in_at_a_time) {
  scratch_folder const folder;
  fs::path const path = write_text(folder / "count", "0");
  std::vector<pid_t> children;
  for (int k = 0; k < 8; ++k) {
    children.push_back(start_child([&] {
      for (int turn = 0; turn < 10; ++turn) {
        file_lock const alone{path, 600};
        int const count = std::stoi(read_text(path));
        replace_by_text(path, std::to_string(count + 1));
      }
      return 0;
    }));
  }
  for (pid_t const child : children) BOOST_TEST(status_of(child) == 0);
  BOOST_TEST(read_text(path) == "80");
  BOOST_TEST(folder.names() == std::vector<std::string>{"count"});
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped) {
  BOOST_TEST(printable("plain é 矩陣") == "plain é 矩陣");
  BOOST_TEST(printable("a\x1b[2Jb\x7f") == "a\\x1b[2Jb\\x7f");
  BOOST_TEST(printable("two\nlines\tand\r") == "two\\nlines\\tand\\x0d");
  BOOST_TEST(printable("\xc2\x9b"
                       "1m") == "\\xc2\\x9b1m");  // CSI as one character
  BOOST_TEST(printable("\xff\xc3") == "\\xff\\xc3");
  BOOST_TEST(printable(printable("\x1b")) == "\\x1b");
  std::string const long_text = std::string(79, 'x') + "é";
  BOOST_TEST(in_quotes(long_text) == "\"" + std::string(79, 'x') + "...\"");
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_escaped) {
  BOOST_TEST(as_utf8("plain é 矩陣\x1b\n") == "plain é 矩陣\x1b\n");
  BOOST_TEST(as_utf8("a\xff\xc3(\xc3") == "a\\xff\\xc3(\\xc3");
  BOOST_TEST(as_utf8("") == "");
}

BOOST_AUTO_TEST_SUITE_END()

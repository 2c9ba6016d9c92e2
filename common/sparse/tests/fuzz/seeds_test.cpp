// Runs a fuzz target without libFuzzer on its seeds and on thousands of mutations of them. The
// reader must accept seeds good_* and refuse seeds bad_*. GRIDLOOM_FUZZ_SEEDS is their folder.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "fuzz_target.hpp"
#include "mutate.hpp"

BOOST_AUTO_TEST_SUITE(seeds_test)

using namespace gridloom::fuzz;

namespace {

struct seed_file {
  std::string name;
  std::string bytes;
};

std::vector<seed_file> all_seeds() {
  std::vector<seed_file> seeds;
  for (auto const& entry : std::filesystem::directory_iterator{GRIDLOOM_FUZZ_SEEDS}) {
    std::ifstream file{entry.path(), std::ios::binary};
    seeds.push_back({entry.path().filename().string(),
                     {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}}});
  }
  // Folders are listed in an order that depends on the machine, and the mutations depend on it.
  std::sort(seeds.begin(), seeds.end(),
            [](seed_file const& a, seed_file const& b) { return a.name < b.name; });
  return seeds;
}

outcome run(std::string const& bytes) {
  return fuzz_one({reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()});
}

// Stores the current input in a file, where it remains if a sanitizer ends the process. The file
// stays open, because closing it for each input may wait for the disk.
class input_at_work {
 public:
  input_at_work() : file_{::open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666)} {
    if (file_ < 0) throw std::system_error{errno, std::generic_category(), name};
  }
  input_at_work(input_at_work const&) = delete;
  input_at_work& operator=(input_at_work const&) = delete;
  ~input_at_work() { ::close(file_); }

  void keep(std::string const& bytes) const {
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()) ||
        ::ftruncate(file_, static_cast<off_t>(bytes.size())) != 0) {
      throw std::system_error{errno, std::generic_category(), name};
    }
  }
  static void remove() { std::filesystem::remove(name); }
  static std::string path() { return std::filesystem::absolute(name).string(); }

 private:
  static constexpr char const* name = GRIDLOOM_FUZZ_TARGET ".fuzz-input";
  int file_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(good_seeds_are_read_and_bad_ones_refused) {
  std::vector<seed_file> const seeds = all_seeds();
  int good = 0;
  int bad = 0;
  for (auto const& [name, bytes] : seeds) {
    bool const expected_good = name.starts_with("good_");
    BOOST_TEST((expected_good || name.starts_with("bad_")), name);
    ++(expected_good ? good : bad);
    // Tries every form of the text with the options of the seed.
    for (unsigned const form : {0U, 1U, 2U, 3U}) {
      std::string input = bytes;
      input.front() = static_cast<char>((static_cast<unsigned>(input.front()) & ~3U) | form);
      try {
        BOOST_TEST(((run(input) == outcome::read) == expected_good), name << ", form " << form);
      } catch (std::exception const& error) {
        BOOST_ERROR(name << ", form " << form << ": " << error.what());
      }
    }
  }
  BOOST_TEST(good >= 3);
  BOOST_TEST(bad >= 3);
}

BOOST_AUTO_TEST_CASE(mutated_seeds_are_read_or_refused) {
  std::vector<std::string> texts;
  for (seed_file const& seed : all_seeds()) texts.push_back(seed.bytes);
  BOOST_REQUIRE(!texts.empty());
  BOOST_TEST((run("") == outcome::refused));

  constexpr int count = 10000;
  mutator mutate{texts, 1};
  input_at_work const at_work;
  int read = 0;
  for (int k = 0; k < count; ++k) {
    std::string const input = mutate.next();
    at_work.keep(input);
    try {
      read += run(input) == outcome::read ? 1 : 0;
    } catch (std::exception const& error) {
      BOOST_FAIL("mutation " << k << ", kept in " << input_at_work::path() << ": " << error.what());
    }
  }
  input_at_work::remove();
  BOOST_TEST_MESSAGE(read << " of " << count << " mutations were read");
  // Some mutations must be read and some refused.
  BOOST_TEST(read > count / 100);
  BOOST_TEST(read < count - count / 100);
}

BOOST_AUTO_TEST_SUITE_END()

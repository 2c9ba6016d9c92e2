#include "gridloom/bench/sha256.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string_view>

#include "gridloom/error.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(sha256_test)

using namespace gridloom;

namespace {

std::string digest(std::string_view text) {
  return bench::sha256(std::as_bytes(std::span(text.data(), text.size())));
}

constexpr std::string_view digest_of_a_million_a =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

}  // namespace

// The examples of FIPS 180 and of NIST's validation program.
BOOST_AUTO_TEST_CASE(published_digests_come_out) {
  BOOST_TEST(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmn"
                    "opqklmnopqrlmnopqrsmnopqrstnopqrstu") ==
             "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  BOOST_TEST(digest(std::string(1'000'000, 'a')) == digest_of_a_million_a);
}

BOOST_AUTO_TEST_CASE(a_file_is_read_in_pieces) {
  test::scratch_folder const folder;
  // The files are one piece and several pieces long.
  for (std::size_t const size : {std::size_t{1} << 20U, (std::size_t{3} << 20U) + 55}) {
    std::string const content(size, 'x');
    std::ofstream(folder / "f", std::ios::binary) << content;
    BOOST_TEST(bench::sha256_of_file(folder / "f") == digest(content));
  }
  BOOST_CHECK_THROW((void)bench::sha256_of_file(folder / "missing"), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()

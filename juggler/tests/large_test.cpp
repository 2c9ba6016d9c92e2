// Data that the host does not hold: inputs made on a machine, and hashes of results.

#include "apps/grid/large.hpp"

#include <boost/test/unit_test.hpp>

#include "apps/grid/image.hpp"
#include "apps/lud/input.hpp"
#include "apps/lud/matrix.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_SUITE(juggler_large)

BOOST_AUTO_TEST_CASE(inputs_made_on_the_machine_are_those_of_the_host) {
  tiling const cut{37, 50, 16};
  on_each_machine([&](test_machine const&, device& machine) {
    auto const pixels = machine.allocate<std::uint8_t>(static_cast<std::size_t>(cut.cells()));
    fill_tiles(machine, pixels, cut, random_pixels{5, cut.cols, 200});
    BOOST_TEST(machine.copy_to_host(pixels) ==
               to_tiles<std::uint8_t>(cut, make_image(cut.rows, cut.cols, 200, 5).pixels));
    tiling const square{37, 37, 16};
    auto const matrix = machine.allocate<double>(static_cast<std::size_t>(square.cells()));
    fill_tiles(machine, matrix, square, lud::random_dominant{5, 37}, 1.0);
    BOOST_TEST(machine.copy_to_host(matrix) ==
               lud::to_tiles(square, lud::make_input(37, 5).values));
  });
}

BOOST_AUTO_TEST_CASE(a_hash_changes_with_any_word_and_with_its_place) {
  on_each_machine([&](test_machine const&, device& machine) {
    auto const hash = [&](std::vector<std::uint32_t> const& words) {
      return hashes_of(machine, machine.allocate_copy(words), 2);
    };
    auto const found = hash({1, 2, 3, 3, 2, 1});
    BOOST_TEST(found == hash({1, 2, 3, 3, 2, 1}));
    BOOST_TEST(found[0] != found[1]);
    BOOST_TEST(found[0] != hash({1, 2, 4, 3, 2, 1})[0]);
    BOOST_TEST(found[1] == hash({1, 2, 4, 3, 2, 1})[1]);
  });
}

BOOST_AUTO_TEST_SUITE_END()

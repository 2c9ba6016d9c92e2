// Sections as ranges of bytes, and sections that leave their arrays.

#include "juggler/array_section.hpp"

#include <limits>

#include "dag_scene.hpp"

BOOST_AUTO_TEST_SUITE(juggler_array_section_test)

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// The address of an array of doubles. Tests never access the array.
double const* at(std::uintptr_t address) { return reinterpret_cast<double const*>(address); }

bool leaves(declared_arrays const& arrays, array_section const& section) {
  return arrays.objection_to(section).find("leave array") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_section_is_its_bytes) {
  BOOST_TEST((bytes_of(section_of(at(800), 3, 2)) == byte_range{824, 840}));
  BOOST_TEST((bytes_of(section_of(at(800), -3, 2)) == byte_range{776, 792}));
  auto const* floats = reinterpret_cast<float const*>(at(800));
  BOOST_TEST((bytes_of(section_of(floats, 3, 2)) == byte_range{812, 820}));
}

BOOST_AUTO_TEST_CASE(lengths_below_one_and_invalid_addresses_are_refused) {
  for (std::int64_t const length : {std::int64_t{0}, std::int64_t{-1}, -most}) {
    BOOST_TEST(objection_to(section_of(at(800), 0, length)) ==
               "expected a length of at least 1, got " + std::to_string(length));
  }
  for (auto const& [begin, length] : {std::pair<std::int64_t, std::int64_t>{most, 1},
                                      {most / 8 + 1, 1},
                                      {-101, 1},
                                      {0, most},
                                      {-most, most},
                                      {most - 1, most}}) {
    BOOST_TEST(objection_to(section_of(at(800), begin, length)) ==
               "no memory has " + std::to_string(length) + " elements from element " +
                   std::to_string(begin) + " on");
  }
  BOOST_TEST(objection_to(section_of(at(800), -100, 1)).empty());
  // The addresses exist, but the index after the last element does not fit 64 bits.
  auto const* bytes = reinterpret_cast<char const*>(at(800));
  BOOST_TEST(objection_to(section_of(bytes, most, 1)) ==
             "no memory has 1 elements from element " + std::to_string(most) + " on");
  BOOST_TEST(objection_to(section_of(bytes, most - 1, 1)).empty());
}

BOOST_AUTO_TEST_CASE(a_section_may_not_leave_the_array_that_its_pointer_points_into) {
  declared_arrays arrays;
  BOOST_TEST(!leaves(arrays, section_of(at(800), 0, 1000)));
  arrays.declare(section_of(at(800), 0, 10), "a");
  arrays.declare(section_of(at(880), 0, 10), "b");
  BOOST_TEST(!leaves(arrays, section_of(at(800), 0, 10)));
  BOOST_TEST(!leaves(arrays, section_of(at(880), 9, 1)));
  BOOST_TEST(arrays.objection_to(section_of(at(800), 8, 3)) ==
             "elements [8, 11) of 8 bytes, counted from byte 0, leave array a of 80 bytes");
  // One section is in the next array, the other one below its array.
  BOOST_TEST(leaves(arrays, section_of(at(800), 10, 2)));
  BOOST_TEST(leaves(arrays, section_of(at(800), -1, 1)));
  // Sections given by a pointer inside the array, and by a pointer of another type.
  BOOST_TEST(!leaves(arrays, section_of(at(840), -5, 10)));
  BOOST_TEST(arrays.objection_to(section_of(at(840), -5, 11)) ==
             "elements [-5, 6) of 8 bytes, counted from byte 40, leave array a of 80 bytes");
  auto const* floats = reinterpret_cast<float const*>(at(800));
  BOOST_TEST(!leaves(arrays, section_of(floats, 0, 20)));
  BOOST_TEST(leaves(arrays, section_of(floats, 0, 21)));
}

BOOST_AUTO_TEST_CASE(a_pointer_outside_declared_arrays_must_not_name_a_part_of_one_and_more) {
  declared_arrays arrays;
  arrays.declare(section_of(at(800), 0, 10), "a");
  BOOST_TEST(!leaves(arrays, section_of(at(720), 0, 10)));
  BOOST_TEST(!leaves(arrays, section_of(at(880), 0, 10)));
  // Elements 1 to 10, counted from one element before the array.
  BOOST_TEST(!leaves(arrays, section_of(at(792), 1, 10)));
  BOOST_TEST(leaves(arrays, section_of(at(792), 0, 11)));
  BOOST_TEST(leaves(arrays, section_of(at(792), 1, 11)));
  BOOST_TEST(arrays.objection_to(section_of(at(720), 0, 11)) ==
             "elements [0, 11) of 8 bytes, counted from byte -80, leave array a of 80 bytes");
}

BOOST_AUTO_TEST_CASE(declared_arrays_are_disjoint_and_not_empty) {
  declared_arrays arrays;
  arrays.declare(section_of(at(800), 0, 10), "a");
  arrays.declare(section_of(at(800), 0, 10), "the same");
  for (auto const& other : {section_of(at(800), 0, 9), section_of(at(792), 0, 2),
                            section_of(at(872), 0, 2), section_of(at(0), 0, 200)}) {
    BOOST_TEST(refused([&] { arrays.declare(other, "b"); }) ==
               "task graph: array b: the array overlaps array a, which has another extent");
  }
  BOOST_TEST(refused([&] { arrays.declare(section_of(at(880), 0, 0), "b"); }) ==
             "task graph: array b: expected a length of at least 1, got 0");
  arrays.declare(section_of(at(880), 0, 1), "b");
  arrays.declare(section_of(at(792), 0, 1), "c");
}

BOOST_AUTO_TEST_SUITE_END()

// Tests the sums over the members of a team with host threads. Each member computes its own sum.

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <thread>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "gridloom/random.hpp"
#include "ours/panel/team.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_teams_sum_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::panels;

// Members must take the same branches (TM.R3), so their sums must not differ in a single bit.
BOOST_AUTO_TEST_CASE(all_members_have_the_same_sum_to_the_last_bit) {
  for (int members = 2; members <= 9; ++members) {
    auto const count = static_cast<std::size_t>(members);
    random_source random(count);
    std::vector<square<work_real>> own(count);
    std::vector<square<work_real>> sums(count);
    std::vector<work_real> wanted(square_size, 0);
    for (auto& part : own)
      for (int e = 0; e < square_size; ++e) {
        part(e / panel_width, e % panel_width) = static_cast<double>(random.below(1'000'003)) / 7;
        wanted[static_cast<std::size_t>(e)] += part(e / panel_width, e % panel_width);
      }
    std::vector<std::uint32_t> meetings(count, 0);
    std::vector<work_real> left(count * part_buffer<work_real>::entries);
    auto const come = [&](int member) {
      auto const place = static_cast<std::size_t>(member);
      square<work_real> parts[cross_parts]{};
      parts[0] = own[place];
      direct_memory memory;
      team_member mine(meetings.data(), {member, members});
      return mine.add_up(thread_of_one(0, 1), memory, part_buffer<work_real>::packed(left.data()),
                         parts, sums[place], [&](panel_words const& words) {
                           for (int w = 0; w < words.count; ++w)
                             while (memory.load_acquire(words.first + w) < words.wanted)
                               std::this_thread::yield();
                           return true;
                         });
    };
    std::vector<std::thread> others;
    for (int member = 1; member < members; ++member)
      others.emplace_back([&, member] { (void)come(member); });
    BOOST_TEST(come(0));
    for (std::thread& one : others) one.join();
    for (auto const& sum : sums)
      for (int e = 0; e < square_size; ++e)
        BOOST_TEST_REQUIRE(sum(e / panel_width, e % panel_width) ==
                           wanted[static_cast<std::size_t>(e)]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

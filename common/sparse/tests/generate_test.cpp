#include "gridloom/sparse/generate.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <utility>

#include "generate_support.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/transform.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(generate_test)

using namespace gridloom;
using namespace gridloom::test;
using gridloom::sparse::generate;
using gridloom::sparse::no_value;

namespace {

std::string refused(std::string const& spec) {
  return message_of<usage_error>([&] { (void)generate(spec); });
}

std::string const all_names =
    "poisson2d, poisson3d, stencil27, p1, trefethen, dominant, A3, A4, A5, A6, path, star, "
    "isolated, random, rgg, scale_free, union";

std::string nested(int unions) {
  std::string spec = "path:n=2";
  for (int i = 0; i < unions; ++i) spec = "union(" + spec + ")";
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_generator_makes_its_defaults_and_says_what_it_is) {
  std::string names;
  for (sparse::generator_help const& help : sparse::list_generators()) {
    names += (names.empty() ? "" : ", ") + help.name;
    BOOST_TEST(help.what.ends_with("."), help.name);
    if (help.name == "union") continue;
    auto const by_name = generate(help.name);
    // Takes the listed defaults, except those that name another key.
    std::string spec;
    std::string_view keys = help.keys;
    while (!keys.empty()) {
      std::string_view const pair = keys.substr(0, keys.find(','));
      keys.remove_prefix(std::min(keys.size(), pair.size() + 1));
      bool const is_number = pair.find_first_not_of("0123456789.", pair.find('=') + 1) == pair.npos;
      // A given radius would replace the degree.
      if (!is_number || pair == "radius=0") continue;
      spec += (spec.empty() ? ":" : ",") + std::string{pair};
    }
    BOOST_TEST((generate(help.name + spec) == by_name), help.name + spec);
  }
  BOOST_TEST(names == all_names);
}

BOOST_AUTO_TEST_CASE(the_same_text_gives_the_same_matrix_on_every_machine) {
  // If a fingerprint differs, a generator has changed, or this machine computes differently.
  std::vector<std::pair<std::string, std::uint64_t>> const stored{
      {"p1:nx=33,ny=20", 4028396945172786366U},
      {"dominant:n=300,nnz=3300", 10782066919247272799U},
      {"dominant:n=60,nnz=3000,seed=7", 3760431763381455481U},
      {"random:n=300,nnz=3000", 11583856487153938337U},
      {"rgg:n=1000", 5210062667527610946U},
      {"rgg:n=1000,radius=0.07,seed=18446744073709551615", 15027747324097937055U},
      {"scale_free:n=1000,nnz=6000", 14625489206549777134U},
      {"poisson2d:nx=9,shuffle=1", 2784385697300928498U},
      {"union(A3;star*2;rgg:n=40):shuffle=1,seed=4", 2246850268802642654U},
  };
  for (auto const& [spec, print] : stored) {
    BOOST_TEST(fingerprint(generate(spec)) == print, spec << " " << fingerprint(generate(spec)));
  }
}

BOOST_AUTO_TEST_CASE(seeds_make_different_matrices_of_the_same_size) {
  for (std::string const spec :
       {"dominant:n=100,nnz=900", "random:n=100,nnz=900", "rgg:n=100", "scale_free:n=100,nnz=900",
        "A3", "path:n=100,shuffle=1", "union(path:n=50*2):shuffle=1"}) {
    std::set<std::uint64_t> prints;
    for (int seed = 0; seed < 5; ++seed) {
      std::string const seeded =
          spec + (spec == "A3" || spec == "rgg" ? ":" : ",") + "seed=" + std::to_string(seed);
      prints.insert(fingerprint(generate(seeded)));
      if (seed == 1) BOOST_TEST((generate(seeded) == generate(spec)), "seed=1 is the default");
    }
    BOOST_TEST(prints.size() == 5U, spec);
  }
}

BOOST_AUTO_TEST_CASE(shuffling_renumbers_the_same_graph) {
  for (std::string const spec : {"rgg:n=500", "scale_free:n=500,nnz=3000", "path:n=100",
                                 "union(star:n=30;path:n=40;isolated:n=5):seed=1"}) {
    pattern const plain = made<no_value>(spec);
    pattern const shuffled = made<no_value>(spec + ",shuffle=1");
    BOOST_TEST(is_graph(shuffled), spec);
    BOOST_TEST((plain != shuffled), spec);
    BOOST_TEST((degree_portrait(plain) == degree_portrait(shuffled)), spec);
    BOOST_TEST((made<no_value>(spec + ",shuffle=0") == plain), spec);
  }
}

BOOST_AUTO_TEST_CASE(shuffling_keeps_values_with_their_entries) {
  real_matrix const plain = made<double>("trefethen:n=300");
  real_matrix const shuffled = made<double>("trefethen:n=300,shuffle=1");
  BOOST_TEST((plain != shuffled));
  BOOST_TEST(has_symmetric_values(shuffled));
  // The primes on the diagonal identify the rows.
  auto const before = entries_of(plain);
  auto const after = entries_of(shuffled);
  std::map<double, std::uint32_t> row_of;
  for (std::uint32_t row = 0; row < 300; ++row) row_of[before.at({row, row})] = row;
  BOOST_TEST(after.size() == before.size());
  for (auto const& [place, value] : after) {
    std::uint32_t const row = row_of.at(after.at({place.first, place.first}));
    std::uint32_t const column = row_of.at(after.at({place.second, place.second}));
    auto const found = before.find({row, column});
    BOOST_TEST_REQUIRE((found != before.end() && found->second == value));
  }
}

BOOST_AUTO_TEST_CASE(unions_lie_along_the_diagonal_in_order) {
  pattern const graph = made<no_value>("union(path:n=3;star:n=3*2;isolated:n=2;path:n=2)");
  std::vector<std::vector<std::uint32_t>> const wanted{{1}, {0, 2}, {1}, {4, 5}, {3},  {3}, {7, 8},
                                                       {6}, {6},    {},  {},     {12}, {11}};
  BOOST_TEST_REQUIRE(graph.num_rows == wanted.size());
  for (std::uint32_t row = 0; row < graph.num_rows; ++row) {
    BOOST_TEST(graph.row(row) == wanted[row], per_element());
  }
}

BOOST_AUTO_TEST_CASE(unions_nest_and_repeat) {
  BOOST_TEST((generate("union(union(path:n=3;star:n=4)*2;isolated:n=1)") ==
              generate("union(path:n=3;star:n=4;path:n=3;star:n=4;isolated:n=1)")));
  BOOST_TEST((generate("union(path:n=3)") == generate("path:n=3")));
  BOOST_TEST((generate("union(A3:seed=5*2)") == generate("union(A3:seed=5;A3:seed=5)")));
  BOOST_TEST((generate("union(isolated:n=0;path:n=3)") == generate("path:n=3")));
  BOOST_TEST((generate(nested(16)) == generate("path:n=2")));
  // Each part has its own seed and is shuffled separately.
  std::vector const parts{made<no_value>("path:n=50,shuffle=1,seed=3"),
                          made<no_value>("path:n=50")};
  BOOST_TEST((made<no_value>("union(path:n=50,shuffle=1,seed=3;path:n=50)") ==
              sparse::block_diagonal<no_value>(parts)));
}

BOOST_AUTO_TEST_CASE(patterns_joined_with_values_become_ones) {
  real_matrix const mixed = made<double>("union(path:n=2;poisson2d:nx=2,ny=1;union(star:n=2))");
  std::vector<double> const wanted{1, 1, 4, -1, -1, 4, 1, 1};
  BOOST_TEST(mixed.values == wanted, per_element());
}

BOOST_AUTO_TEST_CASE(wrong_specs_are_refused_with_the_wrong_part) {
  std::vector<std::pair<std::string, std::string>> const cases{
      {"", "generator: expected NAME, NAME:KEY=VALUE,... or union(A;B*3;...), got \"\""},
      {"Path:n=3", "generator: expected one of " + all_names + ", got \"Path\""},
      {"path(3)", "generator: expected one of " + all_names + ", got \"path(3)\""},
      {"path:n=3,", "path: expected KEY=VALUE, got \"\""},
      {"path:n", "path: expected KEY=VALUE, got \"n\""},
      {"path:=3", "path: expected one of the keys n, seed, shuffle, got \"\""},
      {"A3:n=5", "A3: expected one of the keys dominance, seed, shuffle, got \"n\""},
      {"path:n=3,n=3", "path: n: expected once, got"},
      {"path:n=3*4", "path: n: expected a whole number from 1 to 2147483646, got \"3*4\""},
      {"path:n=0", "path: n: expected"},
      {"path:n=2147483647", "path: n: expected"},
      {"path:shuffle=2", "path: shuffle: expected a whole number from 0 to 1"},
      {"path:seed=-1", "path: seed: expected a whole number from 0 to 2^64 - 1"},
      // These values are out of range.
      {"poisson2d:points=7", "poisson2d: points: expected one of 5, 9"},
      {"poisson3d:points=9", "poisson3d: points: expected one of 7, 27"},
      {"stencil27:unknowns=101", "stencil27: unknowns: expected a whole number from 1 to 100"},
      {"p1:nx=1", "p1: nx: expected a whole number from 2"},
      {"p1:diffusion=0", "p1: diffusion: expected a number from 1e-06 to 1000"},
      {"dominant:n=10,nnz=9", "dominant: nnz: expected the diagonal and pairs, 10 + 2 k up to 100"},
      {"dominant:n=10,nnz=11", "dominant: nnz: expected"},
      {"dominant:n=10,nnz=102", "dominant: nnz: expected"},
      {"dominant:dominance=1", "dominant: dominance: expected a number from 1.001 to 1e+06"},
      {"random:n=4,nnz=3", "random: nnz: expected an even number from 0 to 12"},
      {"random:n=4,nnz=14", "random: nnz: expected an even number from 0 to 12"},
      {"scale_free:n=6,nnz=8", "scale_free: nnz: expected an even number from 10 to 14"},
      {"scale_free:n=6,nnz=16", "scale_free: nnz: expected an even number from 10 to 14"},
      {"rgg:radius=1.5", "rgg: radius: expected a number from 0 to 1"},
      {"rgg:radius=nan", "rgg: radius: expected a number from 0 to 1"},
      {"rgg:n=101,degree=98", "rgg: degree: expected a number from 0 to 97.4926"},
      {"rgg:radius=0.1,degree=9", "rgg: radius: expected either degree or radius"},
      // These unions are damaged.
      {"union:seed=2", "generator: expected union(A;B*3;...), got \"union:seed=2\""},
      {"union(path", "generator: expected a ) behind each ("},
      {"union(path))", "generator: expected a ( before each )"},
      {")(", "generator: expected a ( before each )"},
      {"union()", "generator: expected NAME, NAME:KEY=VALUE,... or union(A;B*3;...), got \"\""},
      {"union(path;)", "generator: expected NAME"},
      {"union(path)(star)", "union: expected nothing or :KEY=VALUE,... behind the )"},
      {"union(path)*2", "union: expected nothing or :KEY=VALUE,... behind the )"},
      {"union(path):n=3", "union: expected one of the keys seed, shuffle, got \"n\""},
      {"union(path*0)", "union: copies: expected a whole number from 1 to 1000000, got \"0\""},
      {"union(path*)", "union: copies: expected"},
      {"union(path;union(star:k=2))", "star: expected one of the keys n, seed, shuffle, got \"k\""},
      {nested(17), "union: expected at most 16 unions in one another, got more"},
  };
  for (auto const& [spec, message] : cases) BOOST_TEST(refused(spec).starts_with(message), spec);
}

BOOST_AUTO_TEST_CASE(matrices_with_too_many_rows_are_refused) {
  std::string const most = ": expected at most 2147483646 rows, got ";
  BOOST_TEST(refused("poisson2d:nx=65536") == "poisson2d" + most + "4294967296");
  BOOST_TEST(refused("poisson3d:nx=2147483646") == "poisson3d" + most + "more than 2^64");
  BOOST_TEST(refused("stencil27:nx=2000,ny=2000,nz=1000") == "stencil27" + most + "12000000000");
  BOOST_TEST(refused("union(isolated:n=2147*1000000;isolated:n=1000000)") ==
             "union" + most + "2148000000");
}

BOOST_AUTO_TEST_CASE(matrices_that_do_not_fit_into_memory_are_refused_before_they_are_made) {
  for (std::string const spec :
       {"star:n=2147483646,shuffle=1", "rgg:n=10000000,radius=0.5",
        "dominant:n=1000000,nnz=100000000000", "dominant:n=2000000000,nnz=4000000000000000000",
        "scale_free:n=100000000,nnz=4000000000000000", "trefethen:n=2000000000",
        "random:n=2147483646,nnz=4611686000000000000", "stencil27:nx=100,unknowns=100",
        "union(poisson3d:nx=100*1000;path:n=4)", "p1:nx=40000,ny=40000"}) {
    std::string const name = spec.substr(0, spec.find_first_of(":("));
    std::string const message = refused(spec);
    BOOST_TEST(message.starts_with(name + ": expected to need at most "), message);
    BOOST_TEST(contains(message, " GiB of memory, got "));
  }
}

BOOST_AUTO_TEST_SUITE_END()

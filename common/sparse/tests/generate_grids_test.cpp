#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generate_support.hpp"
#include "matrices.hpp"

BOOST_AUTO_TEST_SUITE(generate_grids_test)

using namespace gridloom::test;

namespace {

struct node {
  int x = 0;
  int y = 0;
  int z = 0;
};

// Checks a stencil against `value`, a function of the distance of two nodes; 0 means no entry.
template <typename Value>
void require_stencil(std::string const& spec, node size, int unknowns, Value value) {
  real_matrix const matrix = made<double>(spec);
  int const rows = size.x * size.y * size.z * unknowns;
  BOOST_TEST_REQUIRE(matrix.num_rows == static_cast<std::uint32_t>(rows), spec);
  auto const entries = entries_of(matrix);
  std::size_t expected = 0;
  auto const node_of = [&](int row) {
    int const index = row / unknowns;
    return node{index % size.x, index / size.x % size.y, index / size.x / size.y};
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      node const a = node_of(i);
      node const b = node_of(j);
      node const apart{std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)};
      double const wanted = value(apart, i % unknowns == j % unknowns);
      auto const found =
          entries.find({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      if ((found == entries.end() ? 0.0 : found->second) != wanted) {
        BOOST_FAIL(spec << ": wrong at " << i << ", " << j);
      }
      expected += wanted != 0.0 ? 1U : 0U;
    }
  }
  BOOST_TEST(entries.size() == expected, spec);
}

int steps(node apart) { return apart.x + apart.y + apart.z; }
bool is_in_box(node apart) { return apart.x <= 1 && apart.y <= 1 && apart.z <= 1; }

std::string sized(std::string const& name, node size, std::string const& rest) {
  return name + ":nx=" + std::to_string(size.x) + ",ny=" + std::to_string(size.y) +
         (name == "poisson2d" ? "" : ",nz=" + std::to_string(size.z)) + rest;
}

std::vector<node> const planes{{1, 1, 1}, {1, 9, 1}, {9, 1, 1}, {2, 2, 1}, {3, 3, 1},
                               {2, 7, 1}, {7, 2, 1}, {5, 4, 1}, {8, 9, 1}};
std::vector<node> const solids{{1, 1, 1}, {1, 1, 9}, {1, 9, 1}, {9, 1, 1}, {2, 2, 2},
                               {3, 3, 3}, {1, 4, 5}, {4, 1, 5}, {4, 5, 1}, {3, 4, 5}};

}  // namespace

BOOST_AUTO_TEST_CASE(poisson_on_three_by_three_nodes_is_the_matrix_of_the_textbooks) {
  BOOST_TEST((made<double>("poisson2d:nx=3,ny=3,points=5") ==
              matrix_of<double>({{4, -1, 0, -1, 0, 0, 0, 0, 0},
                                 {-1, 4, -1, 0, -1, 0, 0, 0, 0},
                                 {0, -1, 4, 0, 0, -1, 0, 0, 0},
                                 {-1, 0, 0, 4, -1, 0, -1, 0, 0},
                                 {0, -1, 0, -1, 4, -1, 0, -1, 0},
                                 {0, 0, -1, 0, -1, 4, 0, 0, -1},
                                 {0, 0, 0, -1, 0, 0, 4, -1, 0},
                                 {0, 0, 0, 0, -1, 0, -1, 4, -1},
                                 {0, 0, 0, 0, 0, -1, 0, -1, 4}})));
}

BOOST_AUTO_TEST_CASE(poisson_joins_the_nodes_of_its_stencil_and_no_others) {
  for (node const size : planes) {
    require_stencil(sized("poisson2d", size, ",points=5"), size, 1, [](node apart, bool) {
      return steps(apart) == 0 ? 4.0 : steps(apart) == 1 ? -1.0 : 0.0;
    });
    require_stencil(sized("poisson2d", size, ",points=9"), size, 1, [](node apart, bool) {
      return steps(apart) == 0 ? 8.0 : is_in_box(apart) ? -1.0 : 0.0;
    });
  }
  for (node const size : solids) {
    require_stencil(sized("poisson3d", size, ",points=7"), size, 1, [](node apart, bool) {
      return steps(apart) == 0 ? 6.0 : steps(apart) == 1 ? -1.0 : 0.0;
    });
    require_stencil(sized("poisson3d", size, ",points=27"), size, 1, [](node apart, bool) {
      return steps(apart) == 0 ? 26.0 : is_in_box(apart) ? -1.0 : 0.0;
    });
  }
}

BOOST_AUTO_TEST_CASE(stencil27_couples_all_unknowns_of_neighbouring_nodes) {
  for (node const size : solids) {
    for (int unknowns = 1; unknowns <= 3; ++unknowns) {
      double const diagonal = 26.0 + 27.0 * 0.25 * (unknowns - 1);
      require_stencil(sized("stencil27", size, ",unknowns=" + std::to_string(unknowns)), size,
                      unknowns, [&](node apart, bool is_same) {
                        if (steps(apart) == 0 && is_same) return diagonal;
                        if (!is_in_box(apart)) return 0.0;
                        return is_same ? -1.0 : -0.25;
                      });
    }
  }
}

BOOST_AUTO_TEST_CASE(grids_are_square_or_cubic_when_only_nx_is_given) {
  BOOST_TEST(made<double>("poisson2d:nx=6").num_rows == 36U);
  BOOST_TEST(made<double>("poisson3d:nx=5").num_rows == 125U);
  BOOST_TEST(made<double>("poisson3d:nx=5,nz=2").num_rows == 50U);
  BOOST_TEST(made<double>("stencil27:nx=4").num_rows == 192U);
}

BOOST_AUTO_TEST_CASE(p1_is_what_assembling_its_triangles_gives) {
  double const diffusion = 0.1;
  for (auto const& [nx, ny] :
       {std::pair{2U, 2U}, {2U, 6U}, {6U, 2U}, {3U, 3U}, {5U, 4U}, {4U, 9U}}) {
    real_matrix const matrix =
        made<double>("p1:nx=" + std::to_string(nx) + ",ny=" + std::to_string(ny));
    double const h = 1.0 / (std::min(nx, ny) - 1);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> wanted;
    auto const add = [&](std::uint32_t corner, std::uint32_t one, std::uint32_t two) {
      // The right angle is at `corner`. The mass follows from the triangle's area h^2 / 2.
      std::uint32_t const vertices[3]{corner, one, two};
      double const stiffness[3][3]{{1, -0.5, -0.5}, {-0.5, 0.5, 0}, {-0.5, 0, 0.5}};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          wanted[{vertices[i], vertices[j]}] +=
              diffusion * stiffness[i][j] + h * h / 2 * (i == j ? 2 : 1) / 12;
        }
      }
    };
    for (std::uint32_t y = 0; y + 1 < ny; ++y) {
      for (std::uint32_t x = 0; x + 1 < nx; ++x) {
        std::uint32_t const v = y * nx + x;
        add(v, v + 1, v + nx);
        add(v + nx + 1, v + nx, v + 1);
      }
    }
    auto const entries = entries_of(matrix);
    BOOST_TEST_REQUIRE(entries.size() == wanted.size());
    for (auto const& [place, value] : wanted) {
      BOOST_TEST_REQUIRE(entries.contains(place));
      BOOST_TEST(std::abs(entries.at(place) - value) < 1e-15);
    }
  }
}

BOOST_AUTO_TEST_CASE(p1_is_symmetric_and_strictly_dominant_for_every_diffusion) {
  for (std::string const diffusion : {"1e-6", "1e-3", "0.1", "1", "1000"}) {
    for (std::string const size : {"nx=2,ny=2", "nx=2,ny=50", "nx=33,ny=17", "nx=70,ny=90"}) {
      real_matrix const matrix = made<double>("p1:" + size + ",diffusion=" + diffusion);
      BOOST_TEST(has_symmetric_values(matrix));
      BOOST_TEST(jacobi_factor(matrix) < 1.0, size << " " << diffusion);
    }
  }
}

BOOST_AUTO_TEST_CASE(p1_reaches_the_size_of_parabolic_fem) {
  real_matrix const matrix = made<double>("p1:nx=513,ny=1025");
  BOOST_TEST(matrix.num_rows == 525825U);
  BOOST_TEST(matrix.num_entries() == 3674625U);
  // The collection's index gives these extremes for the values of parabolic_fem.
  auto const [least, most] = std::minmax_element(matrix.values.begin(), matrix.values.end());
  BOOST_TEST(std::abs(*least + 0.09999968210858974) < 1e-11);
  BOOST_TEST(std::abs(*most - 0.4000019073486678) < 1e-11);
}

BOOST_AUTO_TEST_SUITE_END()

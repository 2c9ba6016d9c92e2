// The example of Topcuoglu, Hariri, Wu (2002): 10 tasks (from 0), 15 edges, 3 processors.

#include "gridloom/error.hpp"
#include "pets/support/generate.hpp"
#include "pets/support/generators.hpp"

namespace gridloom::pets {

task_graph topcuoglu_graph() {
  csr_graph const edges{{0, 5, 7, 8, 10, 11, 12, 13, 14, 15, 15},
                        {1, 2, 3, 4, 5, 7, 8, 6, 7, 8, 8, 7, 9, 9, 9}};
  return make_task_graph(edges, {18, 12, 9, 11, 14, 19, 16, 23, 27, 23, 13, 15, 17, 11, 13},
                         {14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                          13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16},
                         3, "topcuoglu");
}

}  // namespace gridloom::pets

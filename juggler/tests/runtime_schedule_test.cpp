// The runtime under seeded schedules.
#include "explore.hpp"

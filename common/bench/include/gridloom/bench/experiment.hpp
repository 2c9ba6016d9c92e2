#pragma once
// Everything a program's main.cpp needs around its experiment: the command line, the frame of
// main(), the order of the arms, statistics and the progress bar.

#include "gridloom/bench/balanced_order.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/bench/progress.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/bench/statistics.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

#pragma once
// Everything a program's main.cpp needs around its experiment: the command line, the frame of
// main(), the order of the arms, statistics and the progress bar.

#include "gridloom/balanced_order.hpp"
#include "gridloom/error.hpp"
#include "gridloom/options.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/program.hpp"
#include "gridloom/progress.hpp"
#include "gridloom/results.hpp"
#include "gridloom/statistics.hpp"

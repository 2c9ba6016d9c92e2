"""Projects outside build on the installed libraries: find_package(gridloom), gridloom::NAME."""

import shutil
import subprocess

import pytest

from conftest import ROOT

pytestmark = pytest.mark.slow

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(gridloom 0.1 REQUIRED)
foreach(name taskgraph juggler mhive pets tiled_qr wavefront)
  if(NOT TARGET gridloom::${name})
    message(FATAL_ERROR "no gridloom::${name}")
  endif()
endforeach()
gridloom_kernel_sources(outside.cpp)
add_executable(outside outside.cpp)
target_link_libraries(outside PRIVATE gridloom::mhive gridloom::bench)
gridloom_kernel_sources(example.cpp)
add_executable(example example.cpp)
target_link_libraries(example PRIVATE gridloom::juggler)
gridloom_kernel_sources(own_tasks.cpp)
add_executable(own_tasks own_tasks.cpp)
target_link_libraries(own_tasks PRIVATE gridloom::schedulers)
"""
PROGRAM = """
#include "gridloom/bench/statistics.hpp"
#include "gridloom/sparse/generate.hpp"
#include "mhive/program.hpp"

using namespace gridloom;

struct count_down {
  using work_item = std::uint32_t;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t left) {
    direct_memory{}.fetch_add_relaxed(context.data(), 1U);
    if (left > 0) context.template enqueue<count_down>(left - 1);
  }
};

int main() {
  device machine{"host", 0};
  auto executed = machine.allocate_copy(std::vector<std::uint32_t>(1));
  mhive::program<mhive::phase_queue<mhive::phaseless<count_down>>> tasks{machine, {.capacity = 64}};
  tasks.enqueue<count_down>(std::vector<std::uint32_t>{9});
  (void)tasks.run<mhive::megakernel>(executed.data());
  return machine.copy_to_host(executed)[0] == 10 ? 0 : 1;
}
"""


def test_a_project_outside_links_the_installed_libraries(tmp_path):
    def cmake(*arguments):
        done = subprocess.run(
            ["cmake", *map(str, arguments)], capture_output=True, text=True, timeout=1800
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    build, prefix, outside = (tmp_path / name for name in ("build", "prefix", "outside"))
    said = cmake("-S", ROOT, "-B", build, "-G", "Ninja", "-D", "GRIDLOOM_CUDA=OFF")
    libraries = ["juggler_runtime", "juggler_rivals", "pets_host", "tiled_qr_general"]
    cmake("--build", build, "--target", "gridloom_bench", *libraries)
    cmake("--install", build, "--component", "development", "--prefix", prefix)
    assert not list(prefix.rglob("bin"))
    outside.mkdir()
    (outside / "CMakeLists.txt").write_text(PROJECT)
    (outside / "outside.cpp").write_text(PROGRAM)
    shutil.copy(ROOT / "juggler/apps/example/main.cpp", outside / "example.cpp")
    shutil.copy(ROOT / "schedulers/example/main.cpp", outside / "own_tasks.cpp")
    cmake("-S", outside, "-B", outside / "build", "-D", f"CMAKE_PREFIX_PATH={prefix}")
    cmake("--build", outside / "build")
    assert subprocess.run([outside / "build/outside"], timeout=900).returncode == 0
    assert subprocess.run([outside / "build/example", "host"], timeout=900).returncode == 0
    names = ["scanning", "juggler-lts", "mhive-mk", "mhive-pdc", "fr4", "heft-plan", "graph"]
    own_tasks = [outside / "build/own_tasks", *names, "--backend", "host"]
    assert subprocess.run(own_tasks, timeout=900).returncode == 0
    if "without juggler-cc" in said:
        return  # no libraries of Clang here
    cmake("--build", build, "--target", "juggler-cc")
    cmake("--install", build, "--component", "translator", "--prefix", prefix)
    shutil.copy(ROOT / "juggler/examples/heat.c", outside / "heat.c")
    translated = [prefix / "bin/juggler-cc", "heat.c", "-o", "heat"]
    assert subprocess.run(translated, cwd=outside, timeout=900).returncode == 0
    assert subprocess.run([outside / "heat"], timeout=900).returncode == 0

# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
#
# The module by itself, against an installed ns-3 or the libraries of a tree. CMakeLists.txt, which
# includes this, has the lists of files; paths are from its folder.

option(LOSSLESS_TESTS "Build the tests" OFF)
option(LOSSLESS_CHECKS "Compile with asserts and logs, warnings are errors" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Debian's ns3Config.cmake wants the tools of another package and libgsl-dev, libxml2-dev and
# libsqlite3-dev, none of which is needed here, so the libraries are imported directly.
find_path(NS3_INCLUDE_DIR ns3/core-module.h REQUIRED)
foreach(module core network stats bridge internet traffic-control applications)
  find_library(NS3_${module}_LIBRARY NAMES ns3-${module} ns3.37-${module} REQUIRED)
  add_library(ns3::${module} SHARED IMPORTED)
  set_target_properties(ns3::${module} PROPERTIES IMPORTED_LOCATION "${NS3_${module}_LIBRARY}")
  # An explicit /usr/include would break the compiler's #include_next.
  if(NOT NS3_INCLUDE_DIR STREQUAL "/usr/include")
    target_include_directories(ns3::${module} INTERFACE "${NS3_INCLUDE_DIR}")
  endif()
endforeach()

# An installed ns-3 tells its version in its pkg-config files, a tree in a file of its own.
get_filename_component(library_dir "${NS3_core_LIBRARY}" DIRECTORY)
file(GLOB version_file "${library_dir}/pkgconfig/*ns3*-core.pc" "${NS3_INCLUDE_DIR}/../../VERSION")
set(ns3_version "unknown")
if(version_file)
  list(GET version_file 0 version_file)
  file(STRINGS "${version_file}" ns3_version REGEX "^(Version: )?3" LIMIT_COUNT 1)
  string(REPLACE "Version: " "" ns3_version "${ns3_version}")
endif()
lossless_set_ns3_version("${ns3_version}")

# ns-3's headers before 3.41 are C++17 only; this header came with 3.41, which asks for C++20.
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
  if(EXISTS "${NS3_INCLUDE_DIR}/ns3/uniform-random-bit-generator.h")
    set(CMAKE_CXX_STANDARD 20)
  endif()
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

add_compile_options(-Wall -Wextra)
if(LOSSLESS_CHECKS)
  add_compile_options(-Werror)
  add_compile_definitions(NS3_LOG_ENABLE NS3_ASSERT_ENABLE)
endif()

# As inside a tree, #include "ns3/x.h" finds each header wherever it lives in the module.
set(header_dir "${PROJECT_BINARY_DIR}/include/ns3")
set(module_header "#pragma once\n")
set(header_names lossless-module.h)
foreach(header ${lossless_headers})
  get_filename_component(name ${header} NAME)
  list(APPEND header_names ${name})
  string(APPEND module_header "#include <ns3/${name}>\n")
  file(GENERATE OUTPUT "${header_dir}/${name}"
       CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n"
  )
endforeach()
file(GENERATE OUTPUT "${header_dir}/lossless-module.h" CONTENT "${module_header}")
file(GLOB old_headers RELATIVE "${header_dir}" "${header_dir}/*.h")
foreach(name ${old_headers})
  if(NOT name IN_LIST header_names)
    file(REMOVE "${header_dir}/${name}")
  endif()
endforeach()

add_library(lossless SHARED ${lossless_sources})
target_include_directories(lossless PUBLIC "${PROJECT_BINARY_DIR}/include")
target_link_libraries(
  lossless PUBLIC ns3::traffic-control ns3::internet ns3::bridge ns3::network ns3::stats ns3::core
)
# With CMAKE_UNITY_BUILD several files become one; each keeps a log component of its own.
set_target_properties(
  lossless
  PROPERTIES
    OUTPUT_NAME ns3-lossless
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    UNITY_BUILD_UNIQUE_ID LOSSLESS_FILE_ID
    UNITY_BUILD_CODE_BEFORE_INCLUDE
    "#define LOSSLESS_JOIN2(a, b) a##b
#define LOSSLESS_JOIN(a, b) LOSSLESS_JOIN2(a, b)
#define g_log LOSSLESS_JOIN(g_log_, LOSSLESS_FILE_ID)"
)

add_subdirectory(examples)

foreach(source ${lossless_test_programs})
  get_filename_component(name ${source} NAME_WE)
  add_executable(lossless-${name} ${source})
  target_link_libraries(lossless-${name} PRIVATE lossless ns3::applications)
endforeach()

include(GNUInstallDirs)
install(TARGETS lossless LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${lossless_headers} "${header_dir}/lossless-module.h"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
)

if(NOT LOSSLESS_TESTS)
  return()
endif()

enable_testing()
find_package(GTest REQUIRED)

add_executable(lossless-unit ${lossless_unit_sources})
target_link_libraries(lossless-unit PRIVATE lossless GTest::gtest_main)
add_test(NAME unit COMMAND lossless-unit)

add_executable(lossless-test-runner test/test-runner-main.cc ${lossless_test_sources})
target_compile_definitions(
  lossless-test-runner PRIVATE NS_TEST_SOURCEDIR="${PROJECT_SOURCE_DIR}/test"
)
target_link_libraries(lossless-test-runner PRIVATE lossless ns3::applications)
add_test(NAME suites COMMAND lossless-test-runner)

foreach(source ${lossless_fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(lossless-${name} ${source})
  target_link_libraries(lossless-${name} PRIVATE lossless)
endforeach()

# Files of tests use the same names for their own helpers, so they stay apart in a unity build.
set_target_properties(lossless-unit lossless-test-runner PROPERTIES UNITY_BUILD OFF)

foreach(source ${lossless_scratch_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(scratch-${name} ${source})
  target_link_libraries(scratch-${name} PRIVATE lossless ns3::applications)
endforeach()

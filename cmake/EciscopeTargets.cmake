# How every target of the project is built: warnings, sanitizers, tests and fuzz targets in one place.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Optimising, g++ 12 sees overlapping copies in std::string where there are none (its bug 105651).
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -Wno-restrict")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(eciscope_options INTERFACE)
target_compile_options(eciscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Werror)
if(ECISCOPE_SANITIZE)
  target_compile_options(eciscope_options INTERFACE
    -fsanitize=${ECISCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(eciscope_options INTERFACE -fsanitize=${ECISCOPE_SANITIZE})
endif()
if(ECISCOPE_FUZZ)
  target_compile_options(eciscope_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Many small units that include the same large headers compile several times faster together. Headers of ours are still
# checked alone in the dev preset, which compiles unit by unit.
function(eciscope_unity target)
  if(ECISCOPE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
endfunction()

# eciscope_library(decoder SOURCES a.cpp DEPENDS eciscope::spec): the static library eciscope_decoder, alias
# eciscope::decoder, with the folder's include/ as its public headers.
function(eciscope_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(eciscope_${name} STATIC ${arg_SOURCES})
  add_library(eciscope::${name} ALIAS eciscope_${name})
  target_include_directories(eciscope_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
  target_link_libraries(eciscope_${name} PUBLIC ${arg_DEPENDS} PRIVATE eciscope_options ${arg_PRIVATE_DEPENDS})
endfunction()

# eciscope_test(decoder_test SOURCES tests/a_test.cpp DEPENDS eciscope::decoder): a GoogleTest program run by
# ctest. Test data lies in the folder's tests/data, whose path the program has as ECISCOPE_TEST_DATA.
function(eciscope_test name)
  if(NOT ECISCOPE_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  eciscope_unity(${name})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} eciscope_options GTest::gtest GTest::gmock GTest::gtest_main)
  if(ECISCOPE_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)  # optimising GoogleTest under sanitizers takes minutes and tests nothing more
  endif()
  target_compile_definitions(${name} PRIVATE
    ECISCOPE_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests/data"
    ECISCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# eciscope_fuzz(capture_fuzz SOURCES fuzz/a.cpp CORPUS fuzz/corpus/capture DEPENDS …): a libFuzzer target; without
# ECISCOPE_FUZZ the same code becomes a test that replays the corpus once.
function(eciscope_fuzz name)
  cmake_parse_arguments(arg "" "CORPUS" "SOURCES;DEPENDS" ${ARGN})
  if(ECISCOPE_FUZZ)
    add_executable(${name} ${arg_SOURCES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    if(ECISCOPE_TESTS)
      add_test(NAME ${name}_corpus COMMAND ${name} -runs=0 ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS})
    endif()
  elseif(ECISCOPE_TESTS)
    add_executable(${name} ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/cmake/replay_corpus.cpp)
    add_test(NAME ${name}_corpus COMMAND ${name} ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS})
  else()
    return()
  endif()
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} eciscope_options)
  set_property(GLOBAL APPEND PROPERTY ECISCOPE_FUZZ_TARGETS "${name}=${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}")
endfunction()

# eciscope_bench(decode_bench SOURCES a.cpp DEPENDS …): a Google Benchmark program.
function(eciscope_bench name)
  if(NOT ECISCOPE_BENCH)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} eciscope_options benchmark::benchmark benchmark::benchmark_main)
  target_compile_definitions(${name} PRIVATE ECISCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

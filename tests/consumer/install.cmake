# Installs, moves the result and looks at it: cmake -D BUILD=… -D PREFIX=… -D LIBDIR=… -D NM=…
file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}.first")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}.first"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${PREFIX}.first" "${PREFIX}")

# Headers need no library but the standard one.
file(GLOB_RECURSE headers "${PREFIX}/include/*")
list(LENGTH headers count)
if(count LESS 40)
  message(FATAL_ERROR "only ${count} headers are installed")
endif()
foreach(header ${headers})
  file(STRINGS "${header}" foreign REGEX "^#include <(fmt|nlohmann|oneapi|tbb|CLI|doctest)/")
  if(foreign)
    message(FATAL_ERROR "${header} includes ${foreign}")
  endif()
  file(STRINGS "${header}" ours REGEX "^#include \"planner/")
  foreach(line ${ours})
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included "${line}")
    if(NOT EXISTS "${PREFIX}/include/${included}")
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

# The library shows its interface and nothing else.
execute_process(
  COMMAND "${NM}" -D -C --defined-only --format=posix "${PREFIX}/${LIBDIR}/libplanner.so"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
foreach(wanted "planner_call T" "planner_free T" "planner_version T" "planner::network::count_fabric("
        "planner::price(" "planner::search::rank_strategies(")
  string(FIND "${symbols}" "${wanted}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "libplanner.so does not show ${wanted}")
  endif()
endforeach()
string(REPLACE ";" "," symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
foreach(symbol ${symbols})
  if(symbol MATCHES "^planner::io::" OR NOT symbol MATCHES
                                         "^(planner_(call|free|version) |planner::|(typeinfo|typeinfo name|vtable) for planner::)")
    message(FATAL_ERROR "libplanner.so shows ${symbol}")
  endif()
endforeach()

# The program and its data, from anywhere.
file(READ "${PREFIX}/share/planner/models/gpt22b.json" model)
string(REPLACE "\"gpt22b\"" "\"only-here\"" model "${model}")
file(WRITE "${PREFIX}/share/planner/models/only-here.json" "${model}")
execute_process(COMMAND "${PREFIX}/bin/planner" show only-here WORKING_DIRECTORY / OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)

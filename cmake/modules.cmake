# One static library per folder of src/. A module sees its own headers and those of the modules it
# links, nothing else: each module's include root holds only planner/<module>, so an include that
# goes against the layering in the architecture finds no file.
function(planner_module name)
  cmake_parse_arguments(ARG "LIGHT" "" "SOURCES;LINKS;PRIVATE_LINKS;PARSED_ONCE" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/include_roots/${name}")
  file(MAKE_DIRECTORY "${root}/planner")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${name}" "${root}/planner/${name}" SYMBOLIC)
  add_library(planner_${name} STATIC ${ARG_SOURCES})
  target_include_directories(planner_${name} PUBLIC "${root}")
  target_link_libraries(planner_${name} PUBLIC ${ARG_LINKS} PRIVATE planner_options
                                               ${ARG_PRIVATE_LINKS})
  if(ARG_LIGHT)
    target_link_libraries(planner_${name} PRIVATE planner_light_options)
  endif()
  # Headers that nearly all of its files include and that take longest to read.
  target_precompile_headers(planner_${name} PRIVATE ${ARG_PARSED_ONCE})
endfunction()

# One static library per folder of src/. A module sees its own headers and those of the modules it
# links, nothing else: each module's include root holds only planner/<module>, so an include that
# goes against the layering in the architecture finds no file.
function(planner_module name)
  cmake_parse_arguments(ARG "LIGHT;TOGETHER" "" "SOURCES;APART;LINKS;PRIVATE_LINKS" ${ARGN})
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
  # A folder is compiled as one file: what its files share is read and instantiated once. Folders and
  # files named APART are not: they use the same short names for different things. clang-tidy reads
  # each file by itself.
  if(ARG_TOGETHER AND NOT CMAKE_CXX_CLANG_TIDY)
    set_target_properties(planner_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    foreach(source ${ARG_SOURCES})
      get_filename_component(folder "${source}" DIRECTORY)
      if(NOT folder IN_LIST ARG_APART AND NOT source IN_LIST ARG_APART)
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}/together")
      endif()
    endforeach()
  endif()
endfunction()

# The program, the library with its headers, the data that both look up, and the Python package.
include(CMakePackageConfigHelpers)
install(TARGETS planner RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(PLANNER_MPI)  # a package of its own: nobody else needs MPI
  install(TARGETS planner-mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT mpi)
endif()
install(TARGETS planner_library EXPORT plannerTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")

# Headers of the pure modules need nothing but the standard library; search/parallel.hpp needs TBB.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/planner" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
get_property(public_folders GLOBAL PROPERTY PLANNER_PUBLIC_FOLDERS)
install(DIRECTORY ${public_folders} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/planner"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "parallel.hpp" EXCLUDE)

set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/planner")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/plannerConfig.cmake.in" "${PROJECT_BINARY_DIR}/plannerConfig.cmake"
  INSTALL_DESTINATION "${config_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/plannerConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/plannerConfig.cmake"
              "${PROJECT_BINARY_DIR}/plannerConfigVersion.cmake" DESTINATION "${config_folder}")
install(EXPORT plannerTargets NAMESPACE planner:: DESTINATION "${config_folder}")

set(data_folder "${CMAKE_INSTALL_DATADIR}/planner")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" "${PROJECT_SOURCE_DIR}/catalog"
        DESTINATION "${data_folder}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/briefs" "${PROJECT_SOURCE_DIR}/examples/clusters"
        DESTINATION "${data_folder}/examples")

# Where Debian's Python looks: /usr/lib/python3/dist-packages for what is packaged, and
# <prefix>/lib/python3.N/dist-packages in /usr/local.
find_program(PLANNER_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(python_version 3)
if(PLANNER_PYTHON)
  execute_process(COMMAND "${PLANNER_PYTHON}" -c
                          "import sys; print('%d.%d' % sys.version_info[:2], end='')"
                  OUTPUT_VARIABLE python_version COMMAND_ERROR_IS_FATAL ANY)
endif()
install(CODE "
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(python python3)
  else()
    set(python python${python_version})
  endif()
  file(INSTALL \"${PROJECT_SOURCE_DIR}/python/planner\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/\${python}/dist-packages\"
       FILES_MATCHING PATTERN \"*.py\" PATTERN \"*.pyi\" PATTERN \"py.typed\")")

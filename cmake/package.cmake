# What is installed beside the program, and the Debian package of it all. The manual pages and
# completions are printed by the program itself.
set(pages "${PROJECT_BINARY_DIR}/manual")
add_custom_command(
  OUTPUT "${pages}/printed"
  COMMAND "${CMAKE_COMMAND}" "-DPLANNER=$<TARGET_FILE:planner>" "-DOUTPUT=${pages}" -P
          "${PROJECT_SOURCE_DIR}/cmake/manual_pages.cmake"
  COMMAND "${CMAKE_COMMAND}" -E touch "${pages}/printed"
  DEPENDS planner "${PROJECT_SOURCE_DIR}/cmake/manual_pages.cmake"
  COMMENT "Printing manual pages and completions" VERBATIM)
add_custom_target(planner_manual ALL DEPENDS "${pages}/printed")

install(DIRECTORY "${pages}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(FILES "${pages}/completion.bash" RENAME planner
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${pages}/completion.zsh" RENAME _planner
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${pages}/completion.fish" RENAME planner.fish
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES LICENSE NOTICE README.md docs/compatibility.md
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/planner")
# Debian names the licence of a package so.
install(FILES NOTICE RENAME copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/planner")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME planner)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "plans the training of transformers on GPU clusters")
set(CPACK_PACKAGE_CONTACT "the planner authors <planner@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME planner)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME planner-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "planner (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_DEBIAN_MPI_DESCRIPTION "planner's searches of clusters and its sweeps on several machines")
include(CPack)

# Writes OUTPUT, a header with the commit of SOURCE; where that is no checkout, COMMIT as given.
# Run at every build; the header is only touched when the commit changes.
if(NOT COMMIT)
  execute_process(
    COMMAND git describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define PLANNER_COMMIT \"${COMMIT}\"\n")

# Writes a report and opens it: cmake -D PLANNER=… -D COMMAND=… -D REPORT=… …, see CMakeLists.txt.
execute_process(COMMAND "${PLANNER}" ${COMMAND} --quiet -o "${REPORT}"
                COMMAND_ERROR_IS_FATAL ANY)
file(SIZE "${REPORT}" size)
if(size GREATER 1500000)
  message(FATAL_ERROR "${REPORT} has ${size} bytes: too large to mail")
endif()
execute_process(COMMAND "${NODE}" "${SCRIPT}" "${PACKAGES}" "${CHROMIUM}" "${REPORT}" ${CHARTS} ${COMMAND}
                COMMAND_ERROR_IS_FATAL ANY)

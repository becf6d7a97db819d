# Builds the example against what was installed, outside the tree, and runs it.
file(REMOVE_RECURSE "${BUILD}")
file(COPY "${EXAMPLE}/" DESTINATION "${BUILD}/source")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${BUILD}/source" -B "${BUILD}/build" -G Ninja
          "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
          "-DCMAKE_CXX_FLAGS=${FLAGS} -Wall -Wextra -Wconversion -Werror"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}/build" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${BUILD}/build/custom_objective" OUTPUT_VARIABLE text
                WORKING_DIRECTORY / COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "tp [0-9]+ pp [0-9]+ dp [0-9]+: [0-9.]+ s, [0-9.]+ GB")
  message(FATAL_ERROR "the example printed ${text}")
endif()
execute_process(COMMAND "${BUILD}/build/custom_objective" no-such-model RESULT_VARIABLE code
                ERROR_VARIABLE text WORKING_DIRECTORY /)
if(NOT code EQUAL 3 OR NOT text MATCHES "no model is called \"no-such-model\"")
  message(FATAL_ERROR "the example ended with ${code}: ${text}")
endif()

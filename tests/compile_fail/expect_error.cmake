# Compiles one case of a source file; see CMakeLists.txt.
list(TRANSFORM INCLUDES PREPEND "-I")
execute_process(COMMAND "${COMPILER}" -std=c++20 ${OPTIONS} ${INCLUDES} -DCASE_${CASE} -fsyntax-only
                        "${SOURCE}" RESULT_VARIABLE failed OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(MESSAGE STREQUAL "")
  if(failed)
    message(FATAL_ERROR "must compile, but:\n${output}")
  endif()
elseif(NOT failed)
  message(FATAL_ERROR "compiles, but must not")
elseif(NOT output MATCHES "error: [^\n]*(${MESSAGE})")
  message(FATAL_ERROR "rejected, but for another reason than \"${MESSAGE}\":\n${output}")
endif()

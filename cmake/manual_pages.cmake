# Writes to the folder OUTPUT what PLANNER prints of itself: man1/ with the page of the program and
# of every command that it lists there, and the completions of three shells.
function(print file)
  execute_process(COMMAND "${PLANNER}" ${ARGN} OUTPUT_FILE "${OUTPUT}/${file}"
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY "${OUTPUT}/man1")
print(man1/planner.1 manual)
file(READ "${OUTPUT}/man1/planner.1" page)
string(REGEX MATCHALL "\n\\.TP\n\\.B [a-z]+\n" entries "${page}")
foreach(entry ${entries})
  string(REGEX REPLACE ".*\\.B ([a-z]+)\n" "\\1" command "${entry}")
  print(man1/planner-${command}.1 manual ${command})
endforeach()
foreach(shell bash zsh fish)
  print(completion.${shell} completion ${shell})
endforeach()

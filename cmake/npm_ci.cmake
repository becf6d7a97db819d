# Installs web/package-lock.json's packages into the working directory, and says what to do where
# that fails. Run with -DNPM=<npm> -DNPM_DEV=<--omit=dev or --include=dev>.
execute_process(
  COMMAND "${NPM}" ci ${NPM_DEV} --ignore-scripts --prefer-offline --loglevel=error
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE reason)
if(failed)
  message(FATAL_ERROR
    "npm could not install the chart library that the HTML report embeds:\n${reason}\n"
    "It needs a registry, or npm's cache, with the packages of web/package-lock.json. "
    "Check the network and `npm config get registry`, then build again.")
endif()

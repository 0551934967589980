# Fails unless the program RUN prints the same twice for one `--seed`, and something else for another one. ARGUMENTS are
# its other arguments, separated by spaces.
separate_arguments(ARGUMENTS)
foreach(run IN ITEMS 1 1 2)
  execute_process(COMMAND ${RUN} ${ARGUMENTS} --seed ${run} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "fingerprint [0-9a-f]+" fingerprint "${output}")
  list(APPEND fingerprints "${fingerprint}")
endforeach()
list(GET fingerprints 0 first)
list(GET fingerprints 1 again)
list(GET fingerprints 2 other)
if(first STREQUAL "" OR NOT first STREQUAL again OR first STREQUAL other)
  message(FATAL_ERROR "seeds 1, 1 and 2 have: ${first}; ${again}; ${other}")
endif()

# Fails if SOURCE includes a file of the libraries below, directly or indirectly.
set(kept_out boost/asio boost/beast boost/json curl/ kainjow/)

list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND ${COMPILER} -std=c++20 ${INCLUDES} -M ${SOURCE}
  OUTPUT_VARIABLE included
  COMMAND_ERROR_IS_FATAL ANY)

if(NOT included MATCHES "/tally/client\\.h")
  message(FATAL_ERROR "Could not list the headers that ${SOURCE} includes:\n${included}")
endif()
foreach(library IN LISTS kept_out)
  string(REGEX MATCH "[^ ]*/${library}[^ ]*" found "${included}")
  if(found)
    message(FATAL_ERROR "A public header includes ${found}")
  endif()
endforeach()

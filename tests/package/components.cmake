# Configures projects that request components of an installed tally, where a package that they need is missing, and where
# only the client is installed.
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${TALLY_BUILD} --prefix ${WORK}/installed --config "${BUILD_TYPE}")
# Without the files that `cmake --install` leaves out if the other components are not built.
set(packages ${WORK}/installed/${LIBRARIES}/cmake)
file(COPY ${packages}/tally/ DESTINATION ${packages}/client_alone REGEX "/tally-(bulk|outbox|fake|testing)" EXCLUDE)
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/installed -D CMAKE_CXX_COMPILER=${COMPILER} -D
              CMAKE_BUILD_TYPE=${BUILD_TYPE})

run(${configure} -S ${CMAKE_CURRENT_LIST_DIR}/components -B ${WORK}/cases -D CLIENT_ALONE=${packages}/client_alone)

# says(<argument>...): what CMake says of find_package(tally CONFIG <argument>...).
function(says)
  list(JOIN ARGN " " arguments)
  file(WRITE ${WORK}/project/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(one LANGUAGES CXX)
find_package(tally CONFIG ${arguments})
")
  execute_process(COMMAND ${configure} -S ${WORK}/project -B ${WORK}/said OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(said "${said}" PARENT_SCOPE)
endfunction()

says(REQUIRED COMPONENTS sqk)
if(NOT said MATCHES "Error.* Reason given by package: the component 'sqk' is missing: there is no such component\\. \
This installation of tally has: sdk, bulk, outbox, fake, fake_server, testing\\.")
  message(FATAL_ERROR "The error does not name the component:\n${said}")
endif()
set(missing "-- tally: the component 'sqk' is missing: there is no such component\\.")
says(OPTIONAL_COMPONENTS sqk)
if(NOT said MATCHES "${missing}" OR said MATCHES "Error|Warning")
  message(FATAL_ERROR "CMake does not say that an optional component is missing:\n${said}")
endif()
says(QUIET OPTIONAL_COMPONENTS sqk)
if(said MATCHES "tally|sqk")
  message(FATAL_ERROR "QUIET is not quiet:\n${said}")
endif()

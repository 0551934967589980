# Fails if PROGRAM loads an unnecessary library, directly or indirectly. Each library costs startup time. The libcrypto of Debian 13
# needs libz and libzstd.
set(needed ld-linux libboost_container libboost_json libc libcrypto libgcc_s libm libssl libstdc\\+\\+ libz libzstd)

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} RESOLVED_DEPENDENCIES_VAR loaded)
list(TRANSFORM loaded REPLACE ".*/" "")
if(NOT loaded MATCHES "libstdc")
  message(FATAL_ERROR "Could not list the libraries that ${PROGRAM} loads: ${loaded}")
endif()
list(JOIN needed "|" needed)
list(FILTER loaded EXCLUDE REGEX "^(${needed})[-.]")
if(loaded)
  message(FATAL_ERROR "${PROGRAM} loads unnecessary libraries: ${loaded}")
endif()

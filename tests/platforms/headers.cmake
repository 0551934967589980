# For the presets that compile for other systems: the headers of Boost and libcurl, which are the same on every system, without
# the other headers of this one.
set(headers ${CMAKE_BINARY_DIR}/headers)
find_path(TALLY_BOOST_HEADERS boost/version.hpp PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
find_path(TALLY_CURL_HEADERS curl/curl.h PATHS /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu /usr/include NO_DEFAULT_PATH
                                               NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${headers})
file(CREATE_LINK ${TALLY_BOOST_HEADERS}/boost ${headers}/boost SYMBOLIC)
file(CREATE_LINK ${TALLY_CURL_HEADERS}/curl ${headers}/curl SYMBOLIC)

# Nothing is linked.
set(CURL_NO_CURL_CMAKE ON)
set(CURL_INCLUDE_DIR ${headers} CACHE PATH "")
set(CURL_LIBRARY ${headers} CACHE PATH "")
set(Boost_NO_BOOST_CMAKE ON)
set(Boost_INCLUDE_DIR ${headers} CACHE PATH "")
set(TALLY_BOOST_JSON_FROM_HEADERS ON)

# What only the operating system does is not ported.
if(WIN32)
  file(GLOB not_ported ${CMAKE_CURRENT_SOURCE_DIR}/sdk/src/platform/*.cpp)
  cmake_language(DEFER CALL set_source_files_properties ${not_ported} DIRECTORY sdk PROPERTIES HEADER_FILE_ONLY ON)
endif()

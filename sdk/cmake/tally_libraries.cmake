# tally_add_libraries(<suffix> <tree>)
#
# Builds the hand-written client and fake with the generated code in <tree>/sdk/generated and <tree>/fake/generated. The
# targets are tally_sdk<suffix> and tally_fake<suffix>, both based on tally_base<suffix>. The real ones have no suffix;
# tests pass the tree of another API description, with a suffix.

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH TALLY_SDK_DIR)
cmake_path(GET TALLY_SDK_DIR PARENT_PATH TALLY_ROOT_DIR)

# Adds headers in <dir> to the public headers of the target. Without names, adds all of them by pattern, so that none is
# missing when headers are checked and installed.
function(tally_public_headers target dir)
  set(headers ${ARGN})
  list(TRANSFORM headers PREPEND ${dir}/)
  if(NOT headers)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${dir}/*.h)
  endif()
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${dir} FILES ${headers})
endfunction()

# Gives a shared library its name and its soname, of which it exports only names in `tally`: see docs/policy.md.
function(tally_shared_library target name)
  set_target_properties(
    ${target}
    PROPERTIES OUTPUT_NAME ${name}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${TALLY_SOVERSION}
               VISIBILITY_INLINES_HIDDEN ON)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(exports ${TALLY_SDK_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE LINKER:--version-script=${exports})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  endif()
endfunction()

# Puts each function of an optimized library into a section of its own, so that a linker can leave out those that a program
# does not call.
function(tally_sections target)
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-ffunction-sections;-fdata-sections>)
  endif()
endfunction()

# Compiles the sources in TALLY_SMALL_SOURCES for size, whichever library of this folder has them. Not in batches: a source
# with options of its own would leave its batch.
function(tally_compile_for_size)
  foreach(source IN LISTS TALLY_SMALL_SOURCES)
    if(NOT source IN_LIST TALLY_BASE_SOURCES AND NOT source IN_LIST TALLY_SDK_SOURCES)
      message(FATAL_ERROR "TALLY_SMALL_SOURCES names ${source}, which is in neither library")
    endif()
  endforeach()
  if(NOT CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    list(TRANSFORM TALLY_SMALL_SOURCES PREPEND ${TALLY_SDK_DIR}/)
    set_source_files_properties(${TALLY_SMALL_SOURCES} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
  endif()
endfunction()

# Lets programs that link the static library leave out what they do not call, unless they set TALLY_KEEP_SECTIONS.
function(tally_drop_unused_sections target)
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF" AND NOT BUILD_SHARED_LIBS)
    set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
    set(drops $<NOT:$<BOOL:$<TARGET_PROPERTY:TALLY_KEEP_SECTIONS>>>)
    target_link_options(
      ${target} INTERFACE
      $<$<AND:${is_program},${drops},$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:LINKER:--gc-sections>)
  endif()
endfunction()

# The code that client and fake share: text, time, schema and codecs. Independent of the network.
function(tally_add_base target tree)
  include(${TALLY_SDK_DIR}/sources.cmake)
  include(${tree}/sdk/generated/sources.cmake)
  tally_compile_for_size()
  list(TRANSFORM TALLY_BASE_SOURCES PREPEND ${TALLY_SDK_DIR}/)
  list(TRANSFORM TALLY_BASE_GENERATED_SOURCES PREPEND ${tree}/sdk/generated/)

  add_library(${target} ${TALLY_BASE_SOURCES} ${TALLY_BASE_GENERATED_SOURCES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # All public headers, since the header of a model includes that of its service.
  tally_public_headers(${target} ${TALLY_SDK_DIR}/include)
  tally_public_headers(${target} ${tree}/sdk/generated/include ${TALLY_SDK_GENERATED_HEADERS})
  tally_public_headers(${target} ${PROJECT_BINARY_DIR}/include tally/version.h)
  target_include_directories(${target} PRIVATE ${TALLY_SDK_DIR}/src ${tree}/sdk/generated/src)
  target_link_libraries(
    ${target}
    PUBLIC Boost::headers Threads::Threads
    PRIVATE tally_json $<BUILD_INTERFACE:tally_warnings>)
  tally_sections(${target})
  tally_drop_unused_sections(${target})
endfunction()

function(tally_add_sdk target base tree)
  include(${TALLY_SDK_DIR}/sources.cmake)
  include(${tree}/sdk/generated/sources.cmake)
  # Alone, so that a test program can replace it.
  set_source_files_properties(${TALLY_SDK_DIR}/${TALLY_EVENTS_SOURCE_${TALLY_EVENTS}} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  list(TRANSFORM TALLY_SDK_SOURCES PREPEND ${TALLY_SDK_DIR}/)
  list(TRANSFORM TALLY_SDK_GENERATED_SOURCES PREPEND ${tree}/sdk/generated/)

  add_library(${target} ${TALLY_SDK_SOURCES} ${TALLY_SDK_GENERATED_SOURCES})
  target_include_directories(${target} PRIVATE ${TALLY_SDK_DIR}/src ${tree}/sdk/generated/src)
  target_link_libraries(
    ${target}
    PUBLIC ${base}
    PRIVATE tally_json CURL::libcurl $<BUILD_INTERFACE:tally_warnings>)
  tally_sections(${target})
endfunction()

# The fake is static even if the client is shared: it is for tests, and calls internal functions of tally_base.
#
# Adds <target>_service, the fake alone, which `tally-fake` links; and <target>, the fake with the client, which tests
# link.
function(tally_add_fake target base sdk tree)
  include(${TALLY_ROOT_DIR}/fake/sources.cmake)
  include(${tree}/fake/generated/sources.cmake)
  list(TRANSFORM TALLY_FAKE_SOURCES PREPEND ${TALLY_ROOT_DIR}/fake/)
  list(TRANSFORM TALLY_FAKE_GENERATED_SOURCES PREPEND ${tree}/fake/generated/)

  add_library(${target}_service STATIC ${TALLY_FAKE_SOURCES} ${TALLY_FAKE_GENERATED_SOURCES})
  # These files define constants of the same names.
  set_source_files_properties(${TALLY_FAKE_GENERATED_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  tally_public_headers(${target}_service ${TALLY_ROOT_DIR}/fake/include)
  target_include_directories(
    ${target}_service PRIVATE ${TALLY_ROOT_DIR}/fake/src ${tree}/fake/generated ${TALLY_SDK_DIR}/src
                              ${tree}/sdk/generated/src)
  target_link_libraries(
    ${target}_service
    PUBLIC ${base}
    PRIVATE tally_json $<BUILD_INTERFACE:tally_warnings>)

  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${target}_service ${sdk})
endfunction()

function(tally_add_libraries suffix tree)
  tally_add_base(tally_base${suffix} ${tree})
  tally_add_sdk(tally_sdk${suffix} tally_base${suffix} ${tree})
  tally_add_fake(tally_fake${suffix} tally_base${suffix} tally_sdk${suffix} ${tree})
endfunction()

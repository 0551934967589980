# tally_embed(<target> <header> <namespace> <file>...)
#
# Makes files part of the target. The header, below the folder of its sources, declares the struct EmbeddedFile, a name without
# folder and a text, and the span embeddedFiles in the namespace.
function(tally_embed target header namespace)
  set(entries)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(written ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cpp)
  file(CONFIGURE OUTPUT ${written} @ONLY CONTENT [[
#include "@header@"

#include <array>

namespace @namespace@ {

namespace {

constexpr std::array files = std::to_array<EmbeddedFile>({
@entries@});

}  // namespace

const std::span<const EmbeddedFile> embeddedFiles = files;

}  // namespace @namespace@
]])
  # Compilers need not support literals of more than 64 KiB, but do.
  set_source_files_properties(${written} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings
                                                    SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${written})
endfunction()

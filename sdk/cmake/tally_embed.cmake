# tally_embed(<target> <header> <namespace> [BASE <folder>] <file>...)
#
# Makes files part of the target. The header, below the folder of its sources, declares the struct EmbeddedFile, a name and a text,
# and the span embeddedFiles in the namespace. The name of a file in the base folder is its path from there; that of any other is
# without folder.
function(tally_embed target header namespace)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "BASE" "")
  set(entries)
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(GET file FILENAME name)
    if(arg_BASE)
      cmake_path(IS_PREFIX arg_BASE ${file} is_inside)
      if(is_inside)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${arg_BASE} OUTPUT_VARIABLE name)
      endif()
    endif()
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"sv},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(written ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cpp)
  file(CONFIGURE OUTPUT ${written} @ONLY CONTENT [[
#include "@header@"

#include <array>
#include <string_view>

namespace @namespace@ {

namespace {

// With their lengths, which a compiler would otherwise count, up to its limit for constant expressions.
using namespace std::string_view_literals;

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

# Writes OUTPUT, a C++ source with the contents of FILES, which lie in FOLDER. Arrays, because compilers need not accept
# string literals of this length.
string(REPEAT "." 32 line)
foreach(file IN LISTS FILES)
  file(READ ${FOLDER}/${file} content HEX)
  string(REGEX REPLACE "(${line})" "\\1\n" content "${content}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," content "${content}")
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} array)
  string(APPEND arrays "constexpr char ${array}[]{\n${content}};\n\n")
  string(APPEND rows "    WebFile{\"${name}\", {${array}, sizeof ${array}}},\n")
endforeach()
file(
  WRITE ${OUTPUT}
  "#include <array>

#include \"web_page.h\"

namespace tally::fake::detail {

namespace {

// NOLINTBEGIN(*-avoid-c-arrays): deducing the size of a std::array of this length takes too long
${arrays}// NOLINTEND(*-avoid-c-arrays)

constexpr std::array webFileTable{
${rows}};

}  // namespace

const std::span<const WebFile> webFiles = webFileTable;

}  // namespace tally::fake::detail
")

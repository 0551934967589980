# Writes `output`, a header of the generator with the names of the client's types and headers, which generated code must not define
# again. The types include those in `tally::detail`, where the generated tables name types of the API. Forward declarations don't
# count, since some are of generated types.
function(tally_write_client_names output)
  set(tables ${PROJECT_SOURCE_DIR}/sdk/src/schema)
  set(folders sdk/include/tally sdk/include/tally/detail sdk/bulk/include/tally sdk/outbox/include/tally)
  list(TRANSFORM folders PREPEND ${PROJECT_SOURCE_DIR}/)
  list(APPEND folders ${tables})
  list(TRANSFORM folders APPEND /*.h)
  file(GLOB headers CONFIGURE_DEPENDS ${folders})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})

  # What the templates write for every description, and what the build writes.
  set(types AsyncServices EnumTexts Services)
  set(stems async_services conventions error_codes errors limits operations report_calls resource_rules services version wire)
  set(kind "(class|struct|enum class) ([[][[][a-z]+]] |TALLY_[A-Z_]+ )*")
  foreach(header IN LISTS headers)
    cmake_path(IS_PREFIX tables ${header} isTable)
    if(NOT isTable)
      cmake_path(GET header STEM stem)
      list(APPEND stems ${stem})
    endif()
    file(READ ${header} text)
    # CMake would take semicolons and brackets in a match for those of a list.
    string(REGEX MATCHALL "\n${kind}[A-Za-z]+[^;\n]*[{\n]|\nusing [A-Za-z]+ =" lines "${text}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^\n(${kind}|using )([A-Za-z]+).*$" "\\4" name "${line}")
      list(APPEND types ${name})
    endforeach()
  endforeach()
  foreach(names IN ITEMS types stems)
    list(REMOVE_DUPLICATES ${names})
    list(SORT ${names})
    list(JOIN ${names} "\",\n    \"" ${names})
  endforeach()
  file(
    CONFIGURE
    OUTPUT ${output}
    CONTENT
      [[#pragma once

#include <string_view>

namespace tally::codegen::model {

inline constexpr std::string_view clientTypes[] = {
    "@types@"};

inline constexpr std::string_view clientHeaders[] = {
    "@stems@"};

}  // namespace tally::codegen::model
]]
    @ONLY)
endfunction()

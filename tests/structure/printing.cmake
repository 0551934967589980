# Fails if a public type has no `<<`: a struct or an enumeration of a header below FOLDERS, outside of namespace detail. Not
# for classes, most of which are handles; those that are values are named in VALUES. docs/reference/printing.md
cmake_minimum_required(VERSION 3.25)

# Types without `<<`, each with its reason.
set(exempt
    "Details" # Error prints them
    "Owning" # names a way to hold values, as does Borrowing
    "Borrowing"
    "EnumTexts" # constants
    "UnknownFields" # a vector: GoogleTest and loops print its elements
    "Waiter" # private to VirtualClock
    "Parts" # private to HttpServer
    "Pending" # private to Asio's completion
    "Pool" # private to MemoryShare
    "FieldGroup" # a name in search queries, without a value
)

set(declared)
set(types)
foreach(folder IN LISTS FOLDERS)
  file(GLOB_RECURSE headers ${folder}/*.h)
  foreach(header IN LISTS headers)
    file(READ ${header} text)
    string(APPEND declared "${text}")
    string(REGEX REPLACE "namespace detail {\n([^\n{}]+\n)+}\n" "" text "${text}")
    string(FIND "${text}" "namespace detail {" begin)
    while(NOT begin EQUAL -1)
      string(SUBSTRING "${text}" 0 ${begin} before)
      string(FIND "${text}" "}  // namespace detail" end)
      if(end LESS begin)
        message(FATAL_ERROR "${header}: namespace detail has no end")
      endif()
      math(EXPR end "${end} + 22")
      string(SUBSTRING "${text}" ${end} -1 after)
      set(text "${before}${after}")
      string(FIND "${text}" "namespace detail {" begin)
    endwhile()
    string(REGEX MATCHALL "\n *(struct|enum class) [A-Za-z]+( [^;{\n]*)?{" found "${text}")
    foreach(type IN LISTS found)
      string(REGEX REPLACE "\n *(struct|enum class) ([A-Za-z]+).*" "\\2" name "${type}")
      string(REGEX REPLACE "^Basic" "" name "${name}") # a template; code names and prints the form that owns
      list(APPEND types ${name})
    endforeach()
  endforeach()
endforeach()
list(APPEND types ${VALUES})
list(REMOVE_DUPLICATES types)

set(problems)
foreach(type IN LISTS types)
  # Fields of search queries are names without a value. What is made of them, a query, prints.
  if(type IN_LIST exempt OR type MATCHES "[a-z]Fields?$")
    continue()
  endif()
  if(NOT declared MATCHES "operator<<\\(std::ostream& out, (const )?([A-Za-z]+::)?${type}(<[A-Za-z, ]+>)?&? [a-z]"
     AND NOT declared MATCHES "struct EnumTexts<${type}>")
    list(APPEND problems ${type})
  endif()
endforeach()
list(LENGTH types count)
if(count LESS 50)
  message(FATAL_ERROR "only ${count} types found below ${FOLDERS}")
endif()
if(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "No operator<< is declared for\n  ${problems}\nDeclare one, or name the type and the reason in "
                      "tests/structure/printing.cmake.")
endif()

# Fails if a file lies at the top of the project that is not in KNOWN, such as what a program wrote where it was started.
cmake_minimum_required(VERSION 3.25)
file(
  GLOB entries
  LIST_DIRECTORIES FALSE
  RELATIVE ${SOURCE}
  ${SOURCE}/*)
if(NOT "README.md" IN_LIST entries)
  message(FATAL_ERROR "${SOURCE} is not the project")
endif()
list(REMOVE_ITEM entries ${KNOWN})
if(entries)
  list(JOIN entries "\n  " entries)
  message(FATAL_ERROR "Files that do not belong at the top of the project:\n  ${entries}\nPrograms write to a temporary "
                      "folder, or below build. If a file does belong there, name it in tests/structure/CMakeLists.txt.")
endif()

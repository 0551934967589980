# Fails if a file lies at the top of the project that is not in KNOWN, the files from when the build was configured, such as
# what a program wrote where it was started.
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
  message(FATAL_ERROR "New at the top of the project since the build was configured:\n  ${entries}\nPrograms write to a "
                      "temporary folder, or below build. If the files are yours, configure the build again.")
endif()

# Fails if the public headers cause a warning for a user with strict flags, who includes them as sources and not as headers
# of the system. FOLDERS: where the public headers are. SYSTEM: folders of other libraries. USE: a program that uses
# them, since a template warns only where it is used.
set(flags
    -Wall
    -Wextra
    -Wpedantic
    -Wcast-align
    -Wcast-qual
    -Wconversion
    -Wdouble-promotion
    -Wextra-semi
    -Wformat=2
    -Wmissing-declarations
    -Wnon-virtual-dtor
    -Wnull-dereference
    -Wold-style-cast
    -Woverloaded-virtual
    -Wredundant-decls
    -Wshadow
    -Wsign-conversion
    -Wundef
    -Wunused
    -Werror)
set(gcc_flags -Wduplicated-branches -Wduplicated-cond -Wlogical-op -Wuseless-cast)
set(clang_flags -Wcomma -Wdocumentation -Wheader-hygiene -Wrange-loop-analysis -Wunreachable-code)

set(source)
foreach(folder IN LISTS FOLDERS)
  file(GLOB_RECURSE headers RELATIVE ${folder} ${folder}/*.h)
  foreach(header IN LISTS headers)
    string(APPEND source "#include <${header}>\n")
  endforeach()
endforeach()
if(NOT source MATCHES "tally/client\\.h.*tally/testing/testing\\.h")
  message(FATAL_ERROR "These folders do not have the public headers: ${FOLDERS}")
endif()
file(WRITE ${WORK}/all.cpp "${source}#include \"${USE}\"\n")

list(TRANSFORM FOLDERS PREPEND -I)
list(REMOVE_ITEM SYSTEM /usr/include)
list(TRANSFORM SYSTEM PREPEND -isystem)
execute_process(COMMAND ${COMPILER} -std=${STANDARD} ${flags} ${${FAMILY}_flags} ${FOLDERS} ${SYSTEM} -fsyntax-only
                        ${WORK}/all.cpp COMMAND_ERROR_IS_FATAL ANY)

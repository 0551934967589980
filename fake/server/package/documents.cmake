# Writes the documents that a Debian package must have: the manual page, the copyright and the changelog.
# PROGRAM: tally-fake. SOURCE: the project. VERSION. SHARE: usr/share of the package.
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "-" "\\-" manual "${help}")
string(REGEX REPLACE "^usage: tally\\\\-fake ([^\n]*)\n" ".SH SYNOPSIS\n.B tally\\\\-fake\n\\1\n.SH DESCRIPTION\n" manual
                     "${manual}")
string(REGEX REPLACE "\n\n  " "\n.SH OPTIONS\n  " manual "${manual}")
string(REGEX REPLACE "\n  ([^ \n]+( [A-Z]+)?)  +" "\n.TP\n.B \\1\n" manual "${manual}")
string(REPLACE "\n\nExit status: " "\n.SH EXIT STATUS\n" manual "${manual}")
string(REPLACE "\n\n" "\n.SH USAGE\n" manual "${manual}")
set(title ".TH TALLY\\-FAKE 1 \"\" \"tally ${VERSION}\"\n.SH NAME\ntally\\-fake \\- fake of a payments API\n")
set(more ".SH SEE ALSO\n/usr/share/doc/tally\\-fake/tally\\-fake.md\n")
file(WRITE ${SHARE}/man/man1/tally-fake.1 "${title}${manual}${more}")

set(folder ${SHARE}/doc/tally-fake)
file(READ ${SOURCE}/LICENSE license)
file(WRITE ${folder}/copyright "Copyright 2026 the tally developers\n\n${license}")
configure_file(${SOURCE}/CHANGELOG.md ${folder}/changelog COPYONLY)
execute_process(COMMAND gzip -9nf ${SHARE}/man/man1/tally-fake.1 ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)

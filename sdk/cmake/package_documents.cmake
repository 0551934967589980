# Writes the documents that a Debian package must have: the copyright, the changelog, and the manual page of a program.
# PACKAGE: its name. SOURCE: the project. VERSION. SHARE: usr/share of the package. PROGRAM: if the package has one.
set(folder ${SHARE}/doc/${PACKAGE})
file(READ ${SOURCE}/LICENSE license)
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tally

Files: *
Copyright: 2026 the tally developers
License: BSL-1.0

License: BSL-1.0
 ${license}
")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${folder}/changelog "tally (${VERSION}) unstable; urgency=medium

  * CHANGELOG.md in the sources has what changed.

 -- the tally developers <tally@example.com>  ${date}
")
set(compressed ${folder}/changelog)

if(PROGRAM)
  execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "-" "\\-" manual "${help}")
  string(REGEX REPLACE "^usage: tally\\\\-fake ([^\n]*)\n" ".SH SYNOPSIS\n.B tally\\\\-fake\n\\1\n.SH DESCRIPTION\n"
                       manual "${manual}")
  string(REGEX REPLACE "\n\n  " "\n.SH OPTIONS\n  " manual "${manual}")
  string(REGEX REPLACE "\n  ([^ \n]+( [A-Z]+)?)  +" "\n.TP\n.B \\1\n" manual "${manual}")
  string(REPLACE "\n\nExit status: " "\n.SH EXIT STATUS\n" manual "${manual}")
  string(REPLACE "\n\n" "\n.SH USAGE\n" manual "${manual}")
  set(title ".TH TALLY\\-FAKE 1 \"\" \"tally ${VERSION}\"\n.SH NAME\ntally\\-fake \\- fake of a payments API\n")
  set(more ".SH SEE ALSO\n/usr/share/doc/tally\\-fake/tally\\-fake.md\n")
  file(WRITE ${SHARE}/man/man1/tally-fake.1 "${title}${manual}${more}")
  list(APPEND compressed ${SHARE}/man/man1/tally-fake.1)
endif()
execute_process(COMMAND gzip -9nf ${compressed} COMMAND_ERROR_IS_FATAL ANY)

# Writes the documents that a Debian package must have: the copyright, the changelog, and the manual page of a program.
# PACKAGE: its name. SOURCE: the project. VERSION. SHARE: usr/share of the package. PROGRAM: if the package has one, and its PURPOSE.
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
  string(REPLACE "-" "\\-" name "${PACKAGE}")
  string(TOUPPER "${name}" title)
  # Further lines of the synopsis are indented like the first one.
  string(REGEX REPLACE "\n       ([a-z][^ \n]*) ([^\n]*)" "\n.br\n.B \\1\n\\2" manual "${manual}")
  string(REGEX REPLACE "^usage: [^ ]+ ([^\n]*(\n.br\n.B [^\n]*\n[^\n]*)*)\n"
                       ".SH SYNOPSIS\n.B ${PACKAGE}\n\\1\n.SH DESCRIPTION\n" manual "${manual}")
  string(REPLACE "\n.B ${PACKAGE}\n" "\n.B ${name}\n" manual "${manual}")
  string(REGEX REPLACE "\n    +" " " manual "${manual}")
  string(REPLACE "\n\nCommands:\n" "\n.SH COMMANDS\n" manual "${manual}")
  string(REPLACE "\n\nOptions:\n" "\n.SH OPTIONS\n" manual "${manual}")
  string(REGEX REPLACE "\n\n  " "\n.SH OPTIONS\n  " manual "${manual}")
  string(REGEX REPLACE "\n  ([^ \n]+( [^ \n]+)*)  +" "\n.TP\n.B \\1\n" manual "${manual}")
  string(REPLACE "\n\nExit status: " "\n.SH EXIT STATUS\n" manual "${manual}")
  # The first paragraph after the options begins a part, and the others continue it.
  string(FIND "${manual}" "\n\n" usage)
  string(SUBSTRING "${manual}" 0 ${usage} before)
  string(SUBSTRING "${manual}" ${usage} -1 manual)
  string(REGEX REPLACE "^\n\n" "\n.SH USAGE\n" manual "${manual}")
  string(REPLACE "\n\n" "\n.PP\n" manual "${manual}")
  string(PREPEND manual "${before}")
  set(head ".TH ${title} 1 \"\" \"tally ${VERSION}\"\n.SH NAME\n${name} \\- ${PURPOSE}\n")
  set(more ".SH SEE ALSO\n/usr/share/doc/${name}/${name}.md\n")
  file(WRITE ${SHARE}/man/man1/${PACKAGE}.1 "${head}${manual}${more}")
  list(APPEND compressed ${SHARE}/man/man1/${PACKAGE}.1)
endif()
execute_process(COMMAND gzip -9nf ${compressed} COMMAND_ERROR_IS_FATAL ANY)

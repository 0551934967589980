# Fails unless PAGE quotes the whole of PROGRAM.
file(READ ${PROGRAM} program)
file(READ ${PAGE} page)
string(FIND "${page}" "${program}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not quote ${PROGRAM} as it stands; copy it there")
endif()

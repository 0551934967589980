#pragma once

// Each example has a generated source that defines these.
extern const char exampleHelp[];
extern const char exampleArguments[];  ///< Matches the arguments that the program takes, as fnmatch() does.

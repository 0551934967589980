#pragma once

// Each example has a generated source that defines these.
extern const char exampleHelp[];
extern const char
    exampleOptions[];              ///< Matches the options that the program itself takes, as fnmatch() does.
extern const int exampleOperands;  ///< How many other arguments it takes.

#include <tally/fake/service.h>
#include <tally/tally.h>

static_assert(!tally::version.empty());

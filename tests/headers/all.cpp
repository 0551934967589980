#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/observers.h>
#include <tally/tally.h>

static_assert(!tally::version.empty());

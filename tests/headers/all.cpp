#include <tally/async.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/log_observer.h>
#include <tally/metrics_observer.h>
#include <tally/recording.h>
#include <tally/report_all.h>
#include <tally/retry_policy.h>
#include <tally/tally.h>
#include <tally/tracing.h>
#include <tally/wire_log.h>

static_assert(!tally::version.empty());

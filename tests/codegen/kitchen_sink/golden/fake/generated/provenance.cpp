// Generated from the API description, version 1.0.0. Do not edit.
#include "tables/provenance.h"

namespace tally::fake::detail {

namespace {

// clang-format off: one per line
constexpr std::string_view assumption1Places[] = {
    "`widgets.redraw`",
};
constexpr std::string_view assumption2Places[] = {
    "error `key_missing`",
    "error `key_unknown`",
    "security scheme `bearer`",
    "security scheme `basic`",
};
constexpr std::string_view assumption4Places[] = {
    "error `account_not_connected`",
    "parameter `Service-Account`",
};
constexpr std::string_view assumption7Places[] = {
    "`widgets.retrieve`",
};
constexpr std::string_view assumption8Places[] = {
    "error `api_error`",
    "`error`",
    "response `error`",
};
constexpr std::string_view assumption9Places[] = {
    "error `resource_missing`",
    "error `parameter_unknown`",
    "error `parameter_missing`",
    "error `parameter_invalid`",
    "error `body_invalid`",
};
constexpr std::string_view assumption10Places[] = {
    "error `path_unknown`",
    "error `method_not_allowed`",
};
constexpr std::string_view assumption11Places[] = {
    "header `Request-Id`",
};
constexpr std::string_view assumption12Places[] = {
    "error `lock_timeout`",
};
constexpr std::string_view assumption13Places[] = {
    "error `rate_limit`",
};
constexpr std::string_view assumption14Places[] = {
    "limit `global_rate`",
    "limit `endpoint_rate`",
    "limit `searches`",
};
constexpr std::string_view assumption15Places[] = {
    "limit `global_rate`",
};
constexpr std::string_view assumption16Places[] = {
    "limit `endpoint_rate`",
    "limit `searches`",
};
constexpr std::string_view assumption18Places[] = {
    "limit `global_rate`",
};
constexpr std::string_view assumption19Places[] = {
    "limit `global_concurrency`",
    "limit `endpoint_concurrency`",
};
constexpr std::string_view assumption20Places[] = {
    "error `read_allocation_exceeded`",
};
constexpr std::string_view assumption21Places[] = {
    "the read allocation",
};
constexpr std::string_view assumption22Places[] = {
    "the read allocation",
};
constexpr std::string_view assumption23Places[] = {
    "the read allocation",
};
constexpr std::string_view assumption24Places[] = {
    "error `cursor_missing`",
};
constexpr std::string_view assumption25Places[] = {
    "parameter `ending_before`",
};
constexpr std::string_view assumption26Places[] = {
    "`list.url`",
};
constexpr std::string_view assumption27Places[] = {
    "`widgets.search`",
};
constexpr std::string_view assumption28Places[] = {
    "parameter `query`",
};
constexpr std::string_view assumption30Places[] = {
    "`search_result.total_count`",
};
constexpr std::string_view assumption31Places[] = {
    "parameter `page`",
};
constexpr std::string_view assumption32Places[] = {
    "`widget.colour`",
};
constexpr std::string_view assumption33Places[] = {
    "`timestamp`",
};
constexpr std::string_view assumption34Places[] = {
    "`currency`",
};
constexpr std::string_view assumption37Places[] = {
    "error `widget_retired`",
    "limit `widgets_made`",
    "limit `widget_updates_in_progress`",
    "limit `widget_retirements`",
    "`widgets.create`",
    "parameter `colour` of `widgets.list`",
    "`widgets.retrieve`",
    "`widgets.update`",
    "`widgets.redraw`",
    "`widgets.report_switched_on_and_running_at_full_speed`",
    "`widgets.report_retired`",
    "`widget`",
    "`widget_size`",
    "`widget_part`",
    "`gadget`",
    "`widget_serial`",
};
constexpr std::string_view section1Places[] = {
    "`metadata`",
};
constexpr std::string_view section2Places[] = {
    "`currency`",
    "`amount`",
};
constexpr std::string_view section3Places[] = {
    "`list`",
};
constexpr std::string_view section4Places[] = {
    "parameter `expand`",
    "`search_result`",
    "`search_result.total_count`",
};
constexpr std::string_view section5Places[] = {
    "parameter `id`",
};
constexpr std::string_view section6Places[] = {
    "`metadata_edit`",
};
constexpr std::string_view section7Places[] = {
    "parameter `limit`",
    "parameter `starting_after`",
    "parameter `ending_before`",
    "`widgets.list`",
};
constexpr std::string_view section8Places[] = {
    "parameter `query`",
    "parameter `page`",
    "`widgets.search`",
};
constexpr std::string_view section9Places[] = {
    "error `lock_timeout`",
    "error `rate_limit`",
    "header `Service-Rate-Limited-Reason`",
    "`rate_limited_reason`",
};
constexpr std::string_view section10Places[] = {
    "limit `global_concurrency`",
    "limit `endpoint_concurrency`",
    "limit `global_rate`",
    "limit `endpoint_rate`",
    "limit `searches`",
    "the read allocation",
};
// clang-format on

constexpr Assumption assumptionTable[] = {
    {
        .key = "body_encoding",
        .point = "Request body encoding",
        .choice = "`application/x-www-form-urlencoded`. Bodies and queries write nested keys in brackets: "
                  "`metadata[order]=42`, `expand[]=total_count` or `expand[0]=…`. Brackets may be raw or "
                  "percent-encoded. `/v2` operations take JSON bodies.",
        .places = assumption1Places,
    },
    {
        .key = "authentication",
        .point = "Authentication",
        .choice = "`Authorization: Bearer <secret key or OAuth access token>`. The fake also accepts HTTP "
                  "Basic with the key as the user name. A missing or unknown key: 401.",
        .places = assumption2Places,
    },
    {
        .key = "modes",
        .point = "Live or sandbox",
        .choice = "Keys `sk_live_…` select live mode, keys `sk_test_…` the sandbox. Objects of one mode are "
                  "not visible in the other (404).",
    },
    {
        .key = "connected_account",
        .point = "Acting for a connected account",
        .choice = "Request header `Service-Account: acct_…`, together with a platform's key or token. An "
                  "account that is not connected to the platform: 403.",
        .places = assumption4Places,
    },
    {
        .key = "version_selection",
        .point = "Version selection",
        .choice = "The client sends no version unless the user sets a header; the fake ignores it.",
    },
    {
        .key = "paths",
        .point = "Paths",
        .choice = "`/v1/<resource plural>`, `/v1/<resource plural>/{id}`, `/v1/<resource plural>/search`; "
                  "`/v1/issuing/cards`; `/v2/core/accounts`. The data, reporting and tax products each add a "
                  "segment, such as `/v1/tax/registrations`.",
    },
    {
        .key = "retrieve",
        .point = "The retrieve operation",
        .choice = "Every resource in the `/v1` namespace has `GET /v1/<resource plural>/{id}`, except those "
                  "of the data, reporting and tax products.",
        .places = assumption7Places,
    },
    {
        .key = "error_body",
        .point = "Error body",
        .choice = "`{\"error\":{\"type\",\"code\",\"message\",\"param\"}}`; `param` only if a single "
                  "parameter is at fault. Types: `invalid_request_error`, `authentication_error`, "
                  "`permission_error`, `rate_limit_error`, `api_error`.",
        .places = assumption8Places,
    },
    {
        .key = "unknown_things",
        .point = "Unknown ID, parameter or value",
        .choice = "An unknown object, in the path or in a parameter, including the filters of a list: 404 "
                  "`resource_missing`. Parameter errors: 400 `parameter_unknown`, `parameter_missing` or "
                  "`parameter_invalid`. `param` names the parameter as the caller wrote it.",
        .places = assumption9Places,
    },
    {
        .key = "unknown_path",
        .point = "Unknown path or method",
        .choice = "An unknown path: 404 `path_unknown`. A known path with another method: 405 "
                  "`method_not_allowed`.",
        .places = assumption10Places,
    },
    {
        .key = "request_id",
        .point = "Request ID",
        .choice = "Header `Request-Id: req_…` on every response except lock timeouts.",
        .places = assumption11Places,
    },
    {
        .key = "lock_timeout_response",
        .point = "Lock timeout",
        .choice = "429, type `invalid_request_error`, code `lock_timeout`, no `Service-Rate-Limited-Reason`. "
                  "The time that a request waits for an object's lock is configurable.",
        .places = assumption12Places,
    },
    {
        .key = "rate_limit_response",
        .point = "Rate-limit response",
        .choice = "429, type `rate_limit_error`, code `rate_limit`, with `Service-Rate-Limited-Reason`.",
        .places = assumption13Places,
    },
    {
        .key = "sliding_window",
        .point = R"("Requests per second")",
        .choice = "A sliding window: a request is admitted if fewer requests than the limit were admitted "
                  "within the last second. Refused requests do not count. Longer windows work the same way.",
        .places = assumption14Places,
    },
    {
        .key = "several_limits",
        .point = "Several limits at once",
        .choice = "Every applicable limit must admit the request. The first limit that refuses it gives the "
                  "reason, in this order: global-concurrency, endpoint-concurrency, global-rate, "
                  "endpoint-rate, resource-specific. A refused request counts against none of them.",
        .places = assumption15Places,
    },
    {
        .key = "named_limits",
        .point = "Named limits and the 25 requests per second per endpoint",
        .choice =
            "A named rate limit replaces the 25 per second for the operations that it names. A limit on "
            "requests with a parameter, such as `quantity`, replaces it only for these requests. A named "
            "limit per object does not count requests on a missing object. The global limit always applies. "
            "The reason is `resource-specific`, or `endpoint-concurrency` for a named concurrency limit.",
        .places = assumption16Places,
    },
    {
        .key = "abandoned_requests",
        .point = "Requests whose callers give up",
        .choice = "A request whose caller gives up while it waits for an object's lock is not processed. Any "
                  "other request that has arrived is processed.",
    },
    {
        .key = "who_pays",
        .point = "Which account a request counts against",
        .choice = "The account whose key or token made the request, in the mode of that key. There are two "
                  "exceptions. Card creation counts against the issuing account. Limits that the "
                  "specification gives per object, such as those of a payment intent or a subscription, "
                  "count all requests on the object, whoever makes them.",
        .places = assumption18Places,
    },
    {
        .key = "concurrency_numbers",
        .point = "Concurrency limits without a number",
        .choice = "Each such limit is off until it is set.",
        .places = assumption19Places,
    },
    {
        .key = "allocation_response",
        .point = "Read allocation exceeded",
        .choice = "429, type `rate_limit_error`, code `read_allocation_exceeded`, no "
                  "`Service-Rate-Limited-Reason`.",
        .places = assumption20Places,
    },
    {
        .key = "transactions",
        .point = "What a transaction is",
        .choice = "Each transaction that the test records (`recordTransactions`), and each payment intent "
                  "created in the fake.",
        .places = assumption21Places,
    },
    {
        .key = "allocation_minimum",
        .point = R"("Per month" in the minimum of the read allocation)",
        .choice =
            "The same rolling 30 days apply. The allocation is the larger of 10,000 and 500 per transaction. "
            "A platform's reads on behalf of its connected accounts have the same minimum.",
        .places = assumption22Places,
    },
    {
        .key = "allocation_resolution",
        .point = "Precision of the rolling 30 days",
        .choice = "One nanosecond with up to 4,096 distinct instants in the window. Beyond that, adjacent "
                  "instants are merged: reads expire with the last of them, at most 21 min 6 s late, and "
                  "transactions with the first, at most 21 min 6 s early.",
        .places = assumption23Places,
    },
    {
        .key = "list_order",
        .point = "List order and cursors",
        .choice = "Newest first by `created`, then by order of creation. An unknown cursor: 400 "
                  "`resource_missing`, with the cursor parameter as `param`. Both cursors: 400. `limit` "
                  "outside 1–100: 400.",
        .places = assumption24Places,
    },
    {
        .key = "ending_before",
        .point = "`ending_before`",
        .choice = "Returns the `limit` objects immediately before the cursor, in list order; `has_more` says "
                  "whether there are more in the direction of iteration.",
        .places = assumption25Places,
    },
    {
        .key = "list_url",
        .point = "`url` of a list",
        .choice = "The path of the list operation.",
        .places = assumption26Places,
    },
    {
        .key = "searchable",
        .point = "Searchable resources",
        .choice = "Payment records, payment intents, subscriptions, invoices.",
        .places = assumption27Places,
    },
    {
        .key = "query_language",
        .point = "Query language",
        .choice = "`field:\"value\"`, `field~\"part\"`, `<`, `>`, `<=`, `>=` for numbers, "
                  "`metadata[\"key\"]:\"value\"`, `field:null`, `-` to negate, and `AND` or `OR`, but not "
                  "both in one query. An invalid query: 400, with the position in the message.",
        .places = assumption28Places,
    },
    {
        .key = "search_freshness",
        .point = "Search freshness",
        .choice = "Searches find new objects immediately. The fake can simulate an indexing lag; searches "
                  "then find a new object only after the lag.",
    },
    {
        .key = "total_count",
        .point = "`total_count`",
        .choice = "Present only with `expand[]=total_count`; at most 10,000.",
        .places = assumption30Places,
    },
    {
        .key = "search_cursor",
        .point = "Search cursor",
        .choice = "Opaque. A `page` that the service did not issue for the same query: 400.",
        .places = assumption31Places,
    },
    {
        .key = "open_sets",
        .point = R"(Strings with "shown values", such as `customer_presence`)",
        .choice = "Open sets: unknown values are kept, not refused.",
        .places = assumption32Places,
    },
    {
        .key = "report_times",
        .point = "Times in reports",
        .choice = "Whole seconds since the Unix epoch, not negative; future times are accepted.",
        .places = assumption33Places,
    },
    {
        .key = "currency_codes",
        .point = "Currency codes",
        .choice = "Any three lowercase letters. Anything else is refused in parameters, queries and inserted "
                  "objects. In responses, the client accepts any text.",
        .places = assumption34Places,
    },
    {
        .key = "metadata_size",
        .point = "Number and size of metadata entries",
        .choice = "Unlimited.",
    },
    {
        .key = "uncounted_requests",
        .point = "Limits and requests that are not processed",
        .choice =
            "A request that ends in a lock timeout counts against rate limits, like any admitted request. A "
            "request refused with 401, 403, 404 for its path, or 405 counts against no limit. A request for "
            "an object that does not exist does not count against limits per object.",
    },
    {
        .key = "widgets",
        .point = "Widgets",
        .choice = "They exist.",
        .places = assumption37Places,
    },
};

constexpr Section sectionTable[] = {
    {.name = "Payment record", .places = section1Places},
    {.name = "Amount object", .places = section2Places},
    {.name = "List object", .places = section3Places},
    {.name = "Search result object", .places = section4Places},
    {.name = "Endpoints", .places = section5Places},
    {.name = "Metadata rule", .places = section6Places},
    {.name = "List operations", .places = section7Places},
    {.name = "Search operations", .places = section8Places},
    {.name = "Errors", .places = section9Places},
    {.name = "Limits", .places = section10Places},
};

}  // namespace

constinit const std::span<const Assumption> assumptions{assumptionTable};
constinit const std::span<const Section> sections{sectionTable};

}  // namespace tally::fake::detail

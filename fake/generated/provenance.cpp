// Generated from the API description, version 1.0.0. Do not edit.
#include "tables/provenance.h"

namespace tally::fake::detail {

namespace {

// clang-format off: one per line
constexpr std::string_view assumption1Places[] = {
    "body of `accounts.create`",
    "body of `core_accounts.create`",
    "body of `files.create`",
    "body of `invoices.create`",
    "body of `issuing_cards.create`",
    "body of `payment_intents.create`",
    "body of `payment_intents.update`",
    "body of `payment_records.report_canceled`",
    "body of `payment_records.report_failed`",
    "body of `payment_records.report_guaranteed`",
    "body of `payouts.create`",
    "body of `subscriptions.create`",
    "body of `subscriptions.update`",
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
    "`accounts.retrieve`",
    "`files.retrieve`",
    "`invoices.retrieve`",
    "`issuing_cards.retrieve`",
    "`payment_intents.retrieve`",
    "`payment_records.retrieve`",
    "`payouts.retrieve`",
    "`subscriptions.retrieve`",
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
    "limit `account_creation`",
    "limit `file_reads`",
    "limit `file_writes`",
    "limit `card_creation`",
    "limit `payment_intent_updates`",
    "limit `payout_creation`",
    "limit `payouts_in_progress`",
    "limit `endpoint_rate`",
    "limit `searches`",
    "limit `new_invoices_per_minute`",
    "limit `new_invoices_per_day`",
    "limit `quantity_updates`",
};
constexpr std::string_view assumption18Places[] = {
    "limit `card_creation`",
    "limit `payment_intent_updates`",
    "limit `global_rate`",
    "limit `new_invoices_per_minute`",
    "limit `new_invoices_per_day`",
    "limit `quantity_updates`",
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
    "`invoices.search`",
    "searchable fields of `invoice`",
    "`payment_intents.search`",
    "searchable fields of `payment_intent`",
    "`payment_records.search`",
    "`subscriptions.search`",
    "searchable fields of `subscription`",
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
    "`payment_record.customer_presence`",
    "`payment_method_details.type`",
    "`custom_payment_method.type`",
    "`processor_details.type`",
};
constexpr std::string_view assumption33Places[] = {
    "`timestamp`",
};
constexpr std::string_view assumption34Places[] = {
    "`currency`",
};
constexpr std::string_view assumption37Places[] = {
    "`data_exports.list`",
    "`data_export`",
    "`reporting_report_runs.list`",
    "`reporting_report_run`",
    "`tax_registrations.list`",
    "`tax_registration`",
};
constexpr std::string_view assumption38Places[] = {
    "`files.create`",
    "`file`",
};
constexpr std::string_view assumption39Places[] = {
    "`invoices.create`",
};
constexpr std::string_view assumption40Places[] = {
    "limit `card_creation`",
};
constexpr std::string_view assumption41Places[] = {
    "`accounts.create`",
    "`account`",
    "`core_accounts.create`",
    "`core_account`",
    "`files.create`",
    "`file`",
    "`invoices.create`",
    "parameter `subscription` of `invoices.list`",
    "`invoice`",
    "`issuing_cards.create`",
    "`issuing_card`",
    "`payment_intents.create`",
    "`payment_intents.update`",
    "`payment_intent`",
    "`payouts.create`",
    "`payout`",
    "`subscriptions.create`",
    "`subscriptions.update`",
    "`subscription`",
};
constexpr std::string_view assumption42Places[] = {
    "`amount` of `payment_intents.create`",
    "`payment_intent.amount`",
    "`amount` of `payouts.create`",
    "`payout.amount`",
};
constexpr std::string_view assumption43Places[] = {
    "state `unreported` of `payment_record`",
};
constexpr std::string_view assumption44Places[] = {
    "error `payment_attempt_already_guaranteed`",
};
constexpr std::string_view assumption45Places[] = {
    "`payment_records.report_canceled` on `payment_record`",
    "`payment_records.report_failed` on `payment_record`",
    "`payment_records.report_guaranteed` on `payment_record`",
};
constexpr std::string_view assumption46Places[] = {
    "searchable fields of `payment_record`",
};
constexpr std::string_view assumption47Places[] = {
    "limit `account_creation`",
    "limit `card_creation`",
    "limit `new_invoices_per_minute`",
    "limit `new_invoices_per_day`",
    "limit `quantity_updates`",
};
constexpr std::string_view assumption48Places[] = {
    "limit `subscription_writes`",
};
constexpr std::string_view section1Places[] = {
    "`payment_record`",
    "`payment_attempt_record`",
    "`metadata`",
};
constexpr std::string_view section2Places[] = {
    "`currency`",
    "`amount`",
};
constexpr std::string_view section3Places[] = {
    "`payment_method_details`",
    "`custom_payment_method`",
};
constexpr std::string_view section4Places[] = {
    "`processor_details`",
    "`custom_processor`",
};
constexpr std::string_view section5Places[] = {
    "`list`",
};
constexpr std::string_view section6Places[] = {
    "parameter `expand`",
    "`search_result`",
    "`search_result.total_count`",
};
constexpr std::string_view section7Places[] = {
    "states of `payment_record`",
};
constexpr std::string_view section8Places[] = {
    "parameter `id`",
};
constexpr std::string_view section9Places[] = {
    "`payment_records.report_canceled`",
};
constexpr std::string_view section10Places[] = {
    "`payment_records.report_failed`",
};
constexpr std::string_view section11Places[] = {
    "`payment_records.report_guaranteed`",
};
constexpr std::string_view section12Places[] = {
    "`metadata_edit`",
};
constexpr std::string_view section13Places[] = {
    "`accounts.list`",
    "`data_exports.list`",
    "`files.list`",
    "`invoices.list`",
    "`issuing_cards.list`",
    "`payment_intents.list`",
    "`payment_records.list`",
    "`payouts.list`",
    "`reporting_report_runs.list`",
    "parameter `limit`",
    "parameter `starting_after`",
    "parameter `ending_before`",
    "`subscriptions.list`",
    "`tax_registrations.list`",
};
constexpr std::string_view section14Places[] = {
    "`invoices.search`",
    "`payment_intents.search`",
    "parameter `query`",
    "parameter `page`",
    "`subscriptions.search`",
};
constexpr std::string_view section15Places[] = {
    "error `lock_timeout`",
    "error `rate_limit`",
    "header `Service-Rate-Limited-Reason`",
    "`rate_limited_reason`",
    "limit `subscription_writes`",
    "`subscriptions.create`",
};
constexpr std::string_view section16Places[] = {
    "limit `account_creation`",
    "`accounts.create`",
    "`account`",
    "`core_accounts.create`",
    "`core_account`",
    "limit `file_reads`",
    "limit `file_writes`",
    "`files.create`",
    "`file`",
    "`invoices.create`",
    "`invoice`",
    "limit `card_creation`",
    "`issuing_cards.create`",
    "`issuing_card`",
    "limit `payment_intent_updates`",
    "`payment_intents.update`",
    "`payment_intent`",
    "limit `payout_creation`",
    "limit `payouts_in_progress`",
    "`payouts.create`",
    "`payout`",
    "limit `global_concurrency`",
    "limit `endpoint_concurrency`",
    "limit `global_rate`",
    "limit `endpoint_rate`",
    "limit `searches`",
    "the read allocation",
    "limit `new_invoices_per_minute`",
    "limit `new_invoices_per_day`",
    "limit `quantity_updates`",
    "`subscriptions.update`",
    "`subscription`",
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
        .key = "product_reads",
        .point = "Data, reporting and tax endpoints",
        .choice = "One read operation each: the lists of data exports, report runs and tax registrations. "
                  "The fake returns the objects that a test has inserted.",
        .places = assumption37Places,
    },
    {
        .key = "file_contents",
        .point = "Contents of files",
        .choice = "A file is created from a `filename` and a `purpose`, encoded like every other request. "
                  "Its contents are not modeled. `purpose` is any text.",
        .places = assumption38Places,
    },
    {
        .key = "invoices_of_locked_subscriptions",
        .point = "Invoices of a locked subscription",
        .choice = "An invoice can be created while its subscription is locked; only changes to the "
                  "subscription itself wait for the lock.",
        .places = assumption39Places,
    },
    {
        .key = "card_creation",
        .point = "Card creation",
        .choice = "No limit until one is set for the issuing account's country and industry. It then limits "
                  "creations per second. The issuing account is the account that the request acts for.",
        .places = assumption40Places,
    },
    {
        .key = "named_resources",
        .point = "Operations and fields of resources that the specification mentions but does not describe",
        .choice =
            "The operations that the limits mention, plus retrieve, list and, if searchable, search. Only "
            "the fields that these need: identifier, creation time, mode, what a limit counts (such as "
            "`quantity`), an amount if money moves, and `description` and `metadata` to identify the object.",
        .places = assumption41Places,
    },
    {
        .key = "flat_amounts",
        .point = "Amounts of payment intents and payouts",
        .choice = "Two fields: `amount`, an integer in the currency's smallest unit, and `currency`. Only "
                  "payment records use the amount object.",
        .places = assumption42Places,
    },
    {
        .key = "initial_state",
        .point = "State of an attempt before it is reported",
        .choice = "A single state, `unreported`: all outcome amounts are zero, and every report is allowed.",
        .places = assumption43Places,
    },
    {
        .key = "guaranteed_response",
        .point = "Report on a guaranteed attempt",
        .choice = "400, `invalid_request_error`, code `payment_attempt_already_guaranteed`; the record does "
                  "not change.",
        .places = assumption44Places,
    },
    {
        .key = "reporting_again",
        .point = "Repeated reports before guaranteed",
        .choice = "Allowed, such as canceled → failed. The requested amount moves to the field of the new "
                  "outcome, and the other outcome amounts become zero. `amount_refunded` does not change.",
        .places = assumption45Places,
    },
    {
        .key = "searchable_fields",
        .point = "Searchable fields of payment records",
        .choice = "The fields under `x-searchable` in `codegen/api/payment_records.json`.",
        .places = assumption46Places,
    },
    {
        .key = "counted_changes",
        .point = "What counts as a new invoice, a quantity update or a creation",
        .choice = "Only requests that made the change; refused and failed requests do not count.",
        .places = assumption47Places,
    },
    {
        .key = "subscription_writes",
        .point = "Shared rate limit of subscription writes",
        .choice = "No limit until one is set. It then limits creates and updates together, per second. The "
                  "25 per second of each of the two operations still apply. Updates with `quantity` are an "
                  "exception: their named limit replaces the 25 per second.",
        .places = assumption48Places,
    },
};

constexpr Section sectionTable[] = {
    {.name = "Payment record", .places = section1Places},
    {.name = "Amount object", .places = section2Places},
    {.name = "payment_method_details", .places = section3Places},
    {.name = "processor_details", .places = section4Places},
    {.name = "List object", .places = section5Places},
    {.name = "Search result object", .places = section6Places},
    {.name = "States and transitions", .places = section7Places},
    {.name = "Endpoints", .places = section8Places},
    {.name = "Report payment attempt canceled", .places = section9Places},
    {.name = "Report payment attempt failed", .places = section10Places},
    {.name = "Report payment attempt guaranteed", .places = section11Places},
    {.name = "Metadata rule", .places = section12Places},
    {.name = "List operations", .places = section13Places},
    {.name = "Search operations", .places = section14Places},
    {.name = "Errors", .places = section15Places},
    {.name = "Limits", .places = section16Places},
};

}  // namespace

constinit const std::span<const Assumption> assumptions{assumptionTable};
constinit const std::span<const Section> sections{sectionTable};

}  // namespace tally::fake::detail

"""What users search for, and the pages of which one must be among the first three results: paths in docs, without an extension."""

SEARCHES = {
    "csv": ["recipes/csv"],
    "coroutine": ["recipes/coroutine", "asynchronous-calls"],
    "kill -9": ["recipes/kill-9"],
    "exceptions": ["recipes/exceptions"],
    "opentelemetry": ["recipes/opentelemetry"],
    "prometheus": ["recipes/prometheus"],
    "proxy": ["recipes/proxy"],
    "timeout": ["recipes/timeout"],
    "rate limit": ["recipes/rate-limit", "pacing"],
    "lock timeout": ["recipes/lock-timeout"],
    "lost response": ["lost-responses", "tutorial/5-lost-responses"],
    "docker": ["recipes/docker"],
}

// Uses the outbox without a database: its exceptions cross the boundary of the library, and its options
// print.
#include <iostream>
#include <stdexcept>

#include <tally/outbox.h>
#include <tally/outbox_postgres.h>

int main() {
  const tally::OutboxOptions options{.domains = {{.name = "shop", .client = {.apiKey = "sk_test_1"}}}};
  try {
    const tally::Outbox outbox{"host=/nowhere", options};
    return 1;  // the timeout of an attempt is longer than the lease
  } catch (const std::invalid_argument& wrong) {
    std::cout << options << ": " << wrong.what() << '\n';
  }
  try {
    tally::Outbox{"host=/nowhere"}.migrate();
    return 1;
  } catch (const tally::OutboxError& error) {
    std::cout << error << '\n';
  }
  return 0;
}

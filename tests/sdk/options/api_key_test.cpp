#include <concepts>
#include <cstring>
#include <new>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include <tally/api_key.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

static_assert(!Printable<ApiKey>);
static_assert(!std::equality_comparable<ApiKey>);
static_assert(std::is_nothrow_move_constructible_v<ApiKey> && std::is_nothrow_move_assignable_v<ApiKey>);

const std::string shortKey = "sk_test_1";
const std::string longKey = "sk_test_" + std::string(100, 'k');

/// Whether the memory of a key still has part of it.
bool has(const char* memory, std::size_t size, std::string_view text) {
  return std::string_view{memory, size}.find(text) != std::string_view::npos;
}

TEST(ApiKeyValue, IsComparedByItsText) {
  const ApiKey apiKey = shortKey;
  EXPECT_TRUE(apiKey.isSameAs(shortKey));
  EXPECT_FALSE(apiKey.isSameAs("sk_test_2"));
  EXPECT_FALSE(apiKey.isSameAs("sk_test_"));
  EXPECT_FALSE(apiKey.isSameAs(longKey));
  EXPECT_TRUE(ApiKey{}.isSameAs(""));
}

TEST(ApiKeyValue, KeepsItsTextWhenCopiedOrMoved) {
  for (const std::string& text : {shortKey, longKey}) {
    ApiKey apiKey = text;
    ApiKey copy = apiKey;
    EXPECT_EQ(copy.reveal(), text);
    ApiKey moved = std::move(apiKey);
    EXPECT_EQ(moved.reveal(), text);
    copy = longKey;
    EXPECT_EQ(copy.reveal(), longKey);
    copy = moved;
    EXPECT_EQ(copy.reveal(), text);
    copy = std::move(moved);
    EXPECT_EQ(copy.reveal(), text);
    const ApiKey& self = copy;
    copy = self;
    EXPECT_EQ(copy.reveal(), text);
  }
}

/// A short key lies within the object.
TEST(ApiKeyValue, OverwritesItsMemoryWhenDestroyed) {
  alignas(ApiKey) char memory[sizeof(ApiKey)] = {};
  auto* const apiKey = new (memory) ApiKey{shortKey};
  EXPECT_TRUE(has(memory, sizeof memory, "sk_test"));
  apiKey->~ApiKey();
  char after[sizeof memory];
  std::memcpy(after, memory, sizeof memory);
  EXPECT_FALSE(has(after, sizeof after, "sk_test"));
}

TEST(ApiKeyValue, OverwritesItsMemoryWhenMovedFromOrAssignedTo) {
  alignas(ApiKey) char memory[sizeof(ApiKey)] = {};
  auto* const apiKey = new (memory) ApiKey{shortKey};
  const ApiKey moved = std::move(*apiKey);
  EXPECT_EQ(moved.reveal(), shortKey);
  EXPECT_FALSE(has(memory, sizeof memory, "sk_test"));
  *apiKey = shortKey;
  *apiKey = ApiKey{longKey};
  EXPECT_FALSE(has(memory, sizeof memory, "sk_test"));
  apiKey->~ApiKey();
}

}  // namespace
}  // namespace tally

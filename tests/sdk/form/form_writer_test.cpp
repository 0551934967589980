#include "form/form_writer.h"

#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "form/validation.h"
#include "text/url.h"

namespace tally::detail {
// Defined in generated code.
template <>
const Struct Schema<PaymentRecordListParams>::value;
template <>
const Struct Schema<PaymentRecordReportFailedParams>::value;
template <>
const Struct Schema<PaymentRecordSearchParams>::value;

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds time{1'730'000'000s};

std::string form(const PaymentRecordReportFailedParams& params) {
  std::string out;
  writeForm(out, refTo(params));
  return out;
}

std::string formOf(const PaymentRecordSearchParams& params) {
  std::string out;
  writeForm(out, refTo(params));
  return out;
}

template <class P>
std::string faultIn(const P& params) {
  const auto fault = checkParams(refTo(params));
  return fault ? fault->param + " " + fault->what : "";
}

TEST(FormWriter, WritesTimesAsSecondsAndMetadataKeysInBrackets) {
  EXPECT_EQ(form({.failedAt = time}), "failed_at=1730000000");
  EXPECT_EQ(form({.failedAt = time, .metadata = {{"order", "4 2"}, {"till", "é&="}}}),
            "failed_at=1730000000&metadata%5Border%5D=4%202&metadata%5Btill%5D=%C3%A9%26%3D");
}

TEST(FormWriter, WritesEmptyValuesForKeysToUnset) {
  EXPECT_EQ(form({.failedAt = time, .metadata = MetadataEdit{}.unset("order")}),
            "failed_at=1730000000&metadata%5Border%5D=");
  EXPECT_EQ(form({.failedAt = time, .metadata = MetadataEdit::unsetAll()}), "failed_at=1730000000&metadata=");
}

TEST(FormWriter, WritesListsWithEmptyBrackets) {
  EXPECT_EQ(formOf({.query = "created>1", .expand = {"total_count"}}),
            "query=created%3E1&expand%5B%5D=total_count");
}

TEST(Url, EncodesReservedCharacters) {
  std::string out;
  percentEncode(out, std::string_view{"pr_../x ?#%\r\n\0é~-._", 20});
  EXPECT_EQ(out, "pr_..%2Fx%20%3F%23%25%0D%0A%00%C3%A9~-._");
}

TEST(Url, RoundTripsEveryByte) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte)
    every += static_cast<char>(byte);
  std::string encoded;
  percentEncode(encoded, every);
  EXPECT_EQ(percentDecode(encoded), every);
  EXPECT_EQ(formDecode(encoded), every);
}

TEST(Url, ReadsPlusAsASpaceInFormsOnly) {
  EXPECT_EQ(percentDecode("a+b"), "a+b");
  EXPECT_EQ(formDecode("a+b"), "a b");
}

TEST(Url, RefusesInvalidEncoding) {
  for (const char* broken : {"%", "%4", "%zz", "a%4g", "%%20"})
    EXPECT_EQ(percentDecode(broken), std::nullopt) << broken;
}

TEST(Checks, RequireThePrefixAndAtLeastOneCharacterInAnIdentifier) {
  EXPECT_FALSE(checkId("id", "pr_", "pr_1"));
  EXPECT_FALSE(checkId("id", "pr_", "pr_../x"));
  for (const char* wrong : {"", "pr_", "par_1", "xpr_1", "1"})
    EXPECT_TRUE(checkId("id", "pr_", wrong)) << wrong;
}

TEST(Checks, RequireANonnegativeTime) {
  EXPECT_EQ(faultIn(PaymentRecordReportFailedParams{}), "failed_at is required");
  EXPECT_EQ(faultIn(PaymentRecordReportFailedParams{.failedAt = time}), "");
  EXPECT_EQ(faultIn(PaymentRecordReportFailedParams{.failedAt = std::chrono::sys_seconds{-1s}}),
            "failed_at must be at least 0, not -1");
}

TEST(Checks, RequireALimitFrom1To100) {
  EXPECT_EQ(faultIn(PaymentRecordListParams{.limit = 1}), "");
  EXPECT_EQ(faultIn(PaymentRecordListParams{.limit = 100}), "");
  EXPECT_EQ(faultIn(PaymentRecordListParams{.limit = 0}), "limit must be from 1 to 100, not 0");
  EXPECT_EQ(faultIn(PaymentRecordListParams{.limit = 101}), "limit must be from 1 to 100, not 101");
}

TEST(Checks, RequireCursorsToBeMutuallyExclusiveIdentifiers) {
  EXPECT_EQ(faultIn(PaymentRecordListParams{.startingAfter = "pr_1", .endingBefore = "pr_2"}),
            "starting_after can't be combined with ending_before");
  EXPECT_EQ(faultIn(PaymentRecordListParams{.startingAfter = "par_1"}),
            "starting_after 'par_1' is not an identifier that starts with 'pr_'");
}

TEST(Checks, RequireAQueryThatIsNotEmpty) {
  EXPECT_EQ(faultIn(PaymentRecordSearchParams{}), "query is required");
  EXPECT_EQ(faultIn(PaymentRecordSearchParams{.query = ""}), "query is required and can't be empty");
}

TEST(Checks, RequireUnambiguousMetadataEdits) {
  const auto fault = [](const MetadataEdit& edit) {
    return faultIn(PaymentRecordReportFailedParams{.failedAt = time, .metadata = edit});
  };
  EXPECT_EQ(fault({{"a", "1"}}), "");
  EXPECT_EQ(fault(MetadataEdit::unsetAll()), "");
  EXPECT_EQ(fault({{"", "1"}}), "metadata[] a metadata key can't be empty");
  EXPECT_EQ(fault({{"a[b]", "1"}}), "metadata[a[b]] a metadata key can't contain '[' or ']'");
  EXPECT_EQ(fault({{"a", ""}}), "metadata[a] an empty value would unset the key; to unset it, call unset()");
  EXPECT_EQ(fault(MetadataEdit{{"a", "1"}}.unset("a")), "metadata[a] the key is given twice");
  EXPECT_EQ(fault(MetadataEdit::unsetAll().set("a", "1")),
            "metadata unsetAll() can't be combined with other changes");
}

TEST(Checks, RefuseLineBreaksInHeaders) {
  EXPECT_TRUE(isHeaderText("plain text\twith a tab"));
  EXPECT_TRUE(isHeaderText("ünïcode"));
  for (const std::string_view broken :
       {std::string_view{"a\rb"}, std::string_view{"a\nb"}, std::string_view{"a\0b", 3}})
    EXPECT_FALSE(isHeaderText(broken));
  EXPECT_TRUE(isHeaderName("Service-Account"));
  for (const char* broken : {"", "a b", "a:b", "a\nb", "é"})
    EXPECT_FALSE(isHeaderName(broken));
}

}  // namespace
}  // namespace tally::detail

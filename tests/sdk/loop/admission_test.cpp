#include "loop/admission.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

TEST(Admission, AdmitsActivitiesUpToItsLimit) {
  Admission admission{2};
  EXPECT_TRUE(admission.enter());
  EXPECT_FALSE(admission.isFull());
  EXPECT_TRUE(admission.enter());
  EXPECT_TRUE(admission.isFull());
  EXPECT_FALSE(admission.enter());
}

TEST(Admission, CountsRefusedActivitiesUntilTheyLeave) {
  Admission admission{1};
  EXPECT_TRUE(admission.enter());
  EXPECT_FALSE(admission.enter());
  EXPECT_EQ(admission.outstanding(), 2U);
  admission.deliver();
  admission.leave();
  EXPECT_EQ(admission.outstanding(), 1U);
  EXPECT_TRUE(admission.isFull());
}

TEST(Admission, LetsAHandlerStartAnActivityInPlaceOfItsOwn) {
  Admission admission{1};
  EXPECT_TRUE(admission.enter());
  admission.deliver();
  EXPECT_FALSE(admission.isFull());
  EXPECT_TRUE(admission.enter());
  EXPECT_TRUE(admission.isFull());
  admission.leave();
  EXPECT_TRUE(admission.isFull());
  EXPECT_EQ(admission.outstanding(), 1U);
}

TEST(Admission, CountsDetachedRequestsAlthoughTheyTakeNoRoom) {
  Admission admission{1};
  admission.detach();
  EXPECT_EQ(admission.detached(), 1U);
  EXPECT_EQ(admission.outstanding(), 0U);
  EXPECT_TRUE(admission.enter());
  admission.detachedEnded();
  EXPECT_EQ(admission.detached(), 0U);
}

}  // namespace
}  // namespace tally::detail

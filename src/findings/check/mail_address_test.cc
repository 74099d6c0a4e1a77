#include "check/mail_address.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::check {
namespace {

TEST(MailAddress, IsCheckedByItsForm) {
  for (const std::string_view good :
       {"a@b.example", "first.last+tag@mail.b.example", "a@b.example,c%2Bd@e.example",
        "o'neil@b.example", "%22a%20b%22@b.example",
        "x@b\xC3\xBC"
        "cher.example",
        ""}) {
    EXPECT_EQ(fault_of_mail(good), "") << good;
  }
  for (const std::string_view bad :
       {"a", "a@", "@b.example", "a@b", "a b@c.example", "a@b..example", "a.@b.example",
        "a@b.example,", "a@b@c.example", "a@b.example/c", "a@-%.example"}) {
    EXPECT_NE(fault_of_mail(bad), "") << bad;
  }
  EXPECT_NE(fault_of_mail(std::string(65, 'a') + "@b.example"), "");
}

}  // namespace
}  // namespace gossamer::check

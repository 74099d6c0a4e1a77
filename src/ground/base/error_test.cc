#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <type_traits>
#include <utility>

namespace gossamer::base {
namespace {

static_assert(std::is_nothrow_move_constructible_v<Error>);
static_assert(std::is_nothrow_move_assignable_v<Error>);
static_assert(std::is_nothrow_constructible_v<Error, Errc>);
static_assert(!std::is_copy_constructible_v<Error>);

TEST(Error, IsItsNameWithoutADetail) {
  const Error error = Errc::cancelled;
  EXPECT_EQ(error.code(), Errc::cancelled);
  EXPECT_EQ(error.detail(), "");
  EXPECT_EQ(error.error_number(), 0);
  EXPECT_EQ(error.to_string(), "cancelled");
}

TEST(Error, ShowsDetailAndThenContextsFromTheInnermostOut) {
  const Error error = Error(Errc::timed_out, "connect 93.184.216.34:443: 10 s passed")
                          .with_context("while fetching https://a.example/")
                          .with_context("try 2 of 4");
  EXPECT_EQ(error.detail(), "connect 93.184.216.34:443: 10 s passed");
  EXPECT_EQ(error.to_string(),
            "timed_out: connect 93.184.216.34:443: 10 s passed, "
            "while fetching https://a.example/, try 2 of 4");
}

TEST(Error, ShowsContextWithoutDetail) {
  EXPECT_EQ(Error(Errc::cancelled).with_context("while waiting").to_string(),
            "cancelled, while waiting");
}

TEST(Error, IgnoresAnEmptyContext) {
  EXPECT_EQ(Error(Errc::closed).with_context("").to_string(), "closed");
}

TEST(Error, KeepsTheErrnoOfASystemCallAndAddsItsText) {
  const Error error = Error::from_errno(ECONNREFUSED, "connect 127.0.0.1:9");
  EXPECT_EQ(error.code(), Errc::refused);
  EXPECT_EQ(error.error_number(), ECONNREFUSED);
  EXPECT_EQ(error.to_string(), "refused: connect 127.0.0.1:9: Connection refused");
}

TEST(Error, CanHaveAnErrnoWithoutADetail) {
  EXPECT_EQ(Error::from_errno(ENOENT).to_string(), "not_found: No such file or directory");
}

TEST(Error, NamesAnUnknownErrnoByItsNumber) {
  EXPECT_EQ(Error::from_errno(100000, "ioctl").to_string(), "internal: ioctl: errno 100000");
}

TEST(Error, MessageHasNoCode) {
  EXPECT_EQ(Error::from_errno(ENOENT, "cannot read a.toml").message(),
            "cannot read a.toml: No such file or directory");
  EXPECT_EQ(Error(Errc::malformed, "no colon").with_context("in line 3").message(),
            "no colon, in line 3");
  EXPECT_EQ(Error(Errc::timed_out).with_context("try 2").message(), "timed out, try 2");
}

TEST(Error, CopyIsIndependentOfTheOriginal) {
  Error original = Error::from_errno(EIO, "read").with_context("inner");
  Error twin = original.copy();
  twin = std::move(twin).with_context("outer");
  EXPECT_EQ(original.to_string(), "io_failed: read: Input/output error, inner");
  EXPECT_EQ(twin.to_string(), "io_failed: read: Input/output error, inner, outer");
  EXPECT_EQ(Error(Errc::reset).copy().to_string(), "reset");
}

TEST(Error, MovesItsTextAlong) {
  Error from(Errc::malformed, std::string(100, 'x'));
  const void* text = from.detail().data();
  const Error to = std::move(from);
  EXPECT_EQ(to.detail().data(), text);
}

TEST(Error, ComparesByCodeAlone) {
  EXPECT_TRUE(Error(Errc::malformed, "status line") == Errc::malformed);
  EXPECT_TRUE(Error(Errc::malformed) != Errc::over_limit);
}

}  // namespace
}  // namespace gossamer::base

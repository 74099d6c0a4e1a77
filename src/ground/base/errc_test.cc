#include "base/errc.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string_view>

namespace gossamer::base {
namespace {

TEST(Errc, HasOneNamePerCode) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kErrcCount; ++i) names.insert(name(static_cast<Errc>(i)));
  EXPECT_EQ(names.size(), kErrcCount);
}

TEST(Errc, IsNamedAsItIsSpelled) {
  EXPECT_EQ(name(Errc::cancelled), "cancelled");
  EXPECT_EQ(name(Errc::timed_out), "timed_out");
  EXPECT_EQ(name(Errc::over_limit), "over_limit");
  EXPECT_EQ(name(Errc::internal), "internal");
}

TEST(Errc, TranslatesWhatTheKernelSays) {
  EXPECT_EQ(errc_from_errno(ECANCELED), Errc::cancelled);
  EXPECT_EQ(errc_from_errno(ETIMEDOUT), Errc::timed_out);
  EXPECT_EQ(errc_from_errno(ECONNREFUSED), Errc::refused);
  EXPECT_EQ(errc_from_errno(ECONNRESET), Errc::reset);
  EXPECT_EQ(errc_from_errno(EPIPE), Errc::peer_closed);
  EXPECT_EQ(errc_from_errno(ENETUNREACH), Errc::unreachable);
  EXPECT_EQ(errc_from_errno(ENOENT), Errc::not_found);
  EXPECT_EQ(errc_from_errno(EACCES), Errc::denied);
  EXPECT_EQ(errc_from_errno(ENOSPC), Errc::no_space);
  EXPECT_EQ(errc_from_errno(EMFILE), Errc::no_resources);
  EXPECT_EQ(errc_from_errno(EADDRNOTAVAIL), Errc::no_resources);
  EXPECT_EQ(errc_from_errno(EAGAIN), Errc::unavailable);
}

TEST(Errc, IsInternalForAnErrnoWithoutAPlace) {
  EXPECT_EQ(errc_from_errno(EBADF), Errc::internal);
  EXPECT_EQ(errc_from_errno(100000), Errc::internal);
}

}  // namespace
}  // namespace gossamer::base

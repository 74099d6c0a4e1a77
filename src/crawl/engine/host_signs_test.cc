#include "engine/host_signs.h"

#include <gtest/gtest.h>

namespace gossamer::crawler {
namespace {

TEST(HostSignsTest, AStatusSaysHowItsHostIs) {
  for (const int status : {200, 204, 301, 304, 400, 401, 403, 404, 407, 409, 410, 428, 430, 499}) {
    EXPECT_EQ(sign_of(status), HostSign::answered) << status;
  }
  for (const int status : {500, 501, 505, 520, 599}) {
    EXPECT_EQ(sign_of(status), HostSign::erred) << status;
  }
  EXPECT_EQ(sign_of(429), HostSign::refused);
  EXPECT_EQ(sign_of(503), HostSign::unavailable) << "it may also be only this page";
  // The server, or one behind it, did not get or give an answer in time.
  for (const int status : {408, 502, 504}) EXPECT_EQ(sign_of(status), HostSign::failed) << status;
}

TEST(HostSignsTest, WhatWeDenySaysNothingAboutTheHost) {
  EXPECT_EQ(sign_of(Errc::denied, http::ExchangeStep::begun), HostSign::none);
  EXPECT_EQ(sign_of(Errc::denied, http::ExchangeStep::connecting), HostSign::answered);
  EXPECT_EQ(sign_of(Errc::overloaded, http::ExchangeStep::begun), HostSign::refused);
  EXPECT_EQ(sign_of(Errc::timed_out, http::ExchangeStep::begun), HostSign::failed);
  EXPECT_EQ(sign_of(Errc::denied), HostSign::answered);
}

TEST(HostSignsTest, OnlyFailuresOfConnectionsMayPass) {
  for (const Errc code : {Errc::timed_out, Errc::refused, Errc::reset, Errc::peer_closed,
                          Errc::unreachable, Errc::dns_failed, Errc::unavailable}) {
    EXPECT_TRUE(may_pass(code)) << base::name(code);
  }
  for (const Errc code : {Errc::malformed, Errc::over_limit, Errc::denied, Errc::tls_failed,
                          Errc::unsupported, Errc::cancelled}) {
    EXPECT_FALSE(may_pass(code)) << base::name(code);
  }
}

}  // namespace
}  // namespace gossamer::crawler

#include "server/host_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::server {
namespace {

Request with(std::vector<Request::Field> fields) {
  Request request;
  request.method = "GET";
  request.target = "/metrics";
  request.fields = std::move(fields);
  return request;
}

Admission admission_of(std::vector<Request::Field> fields) {
  return admit_host(with(std::move(fields)), loopback_names(), 8080);
}

TEST(HostCheck, AcceptsOnlyOurHostWithOurPort) {
  const auto admitted = [](const std::string& host) { return admission_of({{"Host", host}}).name; };
  EXPECT_EQ(admitted("127.0.0.1:8080"), "127.0.0.1");
  EXPECT_EQ(admission_of({{"host", "LocalHost:8080"}}).name, "localhost");
  EXPECT_EQ(admitted("[::1]:8080"), "[::1]");
  for (const std::string host :
       {"rebound.example:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:80800", "localhost.:8080",
        "127.0.0.1.evil.example:8080", "2130706433:8080", "127.1:8080", "[::ffff:127.0.0.1]:8080",
        "user@127.0.0.1:8080", ""}) {
    EXPECT_EQ(admitted(host), "") << host;
  }
  EXPECT_EQ(admission_of({}).name, "");
  EXPECT_EQ(admission_of({{"Host", "127.0.0.1:8080"}, {"Host", "127.0.0.1:8080"}}).name, "");
  EXPECT_EQ(admission_of({{"Host", "evil:8080"}}).rejection.status, 421);
}

TEST(HostCheck, LeavesOutTheUsualPort) {
  EXPECT_EQ(admit_host(with({{"Host", "localhost"}}), loopback_names(), 80).name, "localhost");
  EXPECT_EQ(origin_of("localhost", 80), "http://localhost");
  EXPECT_EQ(origin_of("localhost", 81), "http://localhost:81");
}

}  // namespace
}  // namespace gossamer::server

// Tests the client with Caddy, which behaves differently from nginx.

#include <gtest/gtest.h>

#include <string>

#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/support/driver_test.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;

class CaddyTest : public async::DriverTest {
 protected:
  static void SetUpTestSuite() {
    if (support::is_installed(kCaddy)) caddy = new Caddy();
  }
  static void TearDownTestSuite() {
    delete caddy;
    caddy = nullptr;
  }
  void SetUp() override {
    if (caddy == nullptr) GTEST_SKIP() << "no caddy";
    DriverTest::SetUp();
  }

  static inline Caddy* caddy = nullptr;
};

ON_REAL_DRIVERS(CaddyTest);

TEST_P(CaddyTest, GivesItsPagesOnOneConnection) {
  run([](const Caddy& server) -> Task<void> {
    LocalClient local;
    for (int i = 0; i < 5; ++i) {
      const Fetched page = co_await fetch_whole(local.client, server.url("/page.html"));
      EXPECT_EQ(page.status, 200);
      EXPECT_EQ(page.body, server.page());
      EXPECT_EQ(page.facts.reused, i > 0);
    }
  }(*caddy));
}

TEST_P(CaddyTest, IsUnderstoodWhateverItCodesWith) {
  run([](const Caddy& server) -> Task<void> {
    LocalClient local;
    for (const std::string coding : {"gzip", "zstd"}) {
      const Fetched page = co_await fetch_whole(local.client, server.url("/page.html"),
                                                with_field("Accept-Encoding", coding));
      EXPECT_EQ(page.field("Content-Encoding"), coding);
      EXPECT_EQ(page.body, server.page());
      EXPECT_LT(page.body_bytes, server.page().size() / 2);
    }
    EXPECT_EQ(local.client.pool().open(), 1u);
  }(*caddy));
}

TEST_P(CaddyTest, AnswersWithoutAPage) {
  run([](const Caddy& server) -> Task<void> {
    LocalClient local;
    const Fetched teapot = co_await fetch_whole(local.client, server.url("/teapot"));
    EXPECT_EQ(teapot.status, 418);
    EXPECT_EQ(teapot.body, "short");
    const Fetched head =
        co_await fetch_whole(local.client, server.url("/page.html"), {.method = "HEAD"});
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.body, "");
    const Fetched same =
        co_await fetch_whole(local.client, server.url("/page.html"),
                             with_field("If-None-Match", std::string(head.field("Etag"))));
    EXPECT_EQ(same.status, 304);
    const Fetched missing = co_await fetch_whole(local.client, server.url("/nowhere"));
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(local.client.pool().open(), 1u);
  }(*caddy));
}

}  // namespace
}  // namespace gossamer::http

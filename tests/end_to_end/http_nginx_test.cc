// Tests the client with nginx, with and without TLS.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/support/driver_test.h"
#include "wire/content_coding.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using testing::Each;
using testing::HasSubstr;

class NginxTest : public async::DriverTest {
 protected:
  static void SetUpTestSuite() {
    if (support::is_installed(support::kNginx) && support::is_installed(support::kOpenssl))
      nginx = new Nginx();
  }
  static void TearDownTestSuite() {
    delete nginx;
    nginx = nullptr;
  }
  void SetUp() override {
    if (nginx == nullptr) GTEST_SKIP() << "no nginx, or no openssl";
    DriverTest::SetUp();
  }

  static inline Nginx* nginx = nullptr;  // one for all tests: starting it takes longer than they do
};

ON_REAL_DRIVERS(NginxTest);

FetchOptions accepting_codings() {
  return with_field("Accept-Encoding", std::string(wire::kAcceptEncoding));
}

TEST_P(NginxTest, GivesItsPagesOnOneConnection) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local;
    for (int i = 0; i < 20; ++i) {
      const Fetched page = co_await fetch_whole(local.client, server.url("/page.html"));
      EXPECT_EQ(page.status, 200);
      EXPECT_EQ(page.body, server.page());
      EXPECT_EQ(page.facts.reused, i > 0);
      EXPECT_EQ(page.facts.protocol, "HTTP/1.1");
      EXPECT_EQ(page.facts.connection.remote, async::Endpoint::loopback(server.port()));
      EXPECT_GT(page.facts.bytes_received, server.page().size());
    }
    EXPECT_EQ(local.client.pool().open(), 1u);
    EXPECT_EQ(local.client.pool().idle(), 1u);
  }(*nginx));
}

TEST_P(NginxTest, GivesItsPagesWithTls) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({}, trusting(server.certificate_file()));
    for (int i = 0; i < 5; ++i) {
      const Fetched page = co_await fetch_whole(local.client, server.tls_url("/page.html"));
      EXPECT_EQ(page.body, server.page());
      EXPECT_EQ(page.facts.reused, i > 0);
      EXPECT_TRUE(page.facts.connection.is_tls);
      EXPECT_TRUE(page.tls && page.tls->protocol == "TLSv1.3");
    }
    // A new connection continues where the last one stopped.
    local.client.close_idle();
    const Fetched page = co_await fetch_whole(local.client, server.tls_url("/page.html"));
    EXPECT_FALSE(page.facts.reused);
    EXPECT_TRUE(page.tls && page.tls->resumed);
  }(*nginx));
}

TEST_P(NginxTest, IsRefusedIfItsCertificateIsNotTrusted) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({}, trusting(""));
    auto refused = co_await fetch(local.client, server.tls_url("/page.html"));
    EXPECT_FALSE(refused);
    EXPECT_TRUE(refused || refused.error() == Errc::tls_failed) << refused.error().to_string();
    EXPECT_EQ(local.client.pool().open(), 0u);

    LocalClient careless({}, trusting("", {.insecure = true}));
    const Fetched page = co_await fetch_whole(careless.client, server.tls_url("/page.html"));
    EXPECT_TRUE(page.tls && page.tls->verification == net::TlsFailure::self_signed);
  }(*nginx));
}

TEST_P(NginxTest, DecodesWhatWasCodedOnTheWay) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({}, trusting(server.certificate_file()));
    for (const std::string& url : {server.url("/page.html"), server.tls_url("/page.html")}) {
      for (int i = 0; i < 3; ++i) {
        const Fetched page = co_await fetch_whole(local.client, url, accepting_codings());
        EXPECT_EQ(page.field("Content-Encoding"), "gzip");
        EXPECT_EQ(page.field("Transfer-Encoding"), "chunked");
        EXPECT_EQ(page.body, server.page());
        EXPECT_LT(page.body_bytes, server.page().size() / 2);
        EXPECT_EQ(page.facts.reused, i > 0);
      }
    }
    EXPECT_EQ(local.client.pool().idle(), 2u);
  }(*nginx));
}

// More than is collected before it is decoded.
TEST_P(NginxTest, DecodesLargeBodiesToTheirEnd) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local;
    for (int i = 0; i < 2; ++i) {
      const Fetched text =
          co_await fetch_whole(local.client, server.url("/large.txt"), accepting_codings());
      EXPECT_EQ(text.field("Content-Encoding"), "gzip");
      EXPECT_GT(text.body_bytes, std::uint64_t{1} << 20);
      EXPECT_TRUE(text.body == server.large_text());
      EXPECT_EQ(text.facts.reused, i > 0) << "the body was not read to its end";
    }
  }(*nginx));
}

TEST_P(NginxTest, TellsTheEndOfABodyByTheEndOfTheConnection) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({}, trusting(server.certificate_file()));
    const std::string path = "/until_close/page.html";
    for (const std::string& url : {server.url(path), server.tls_url(path)}) {
      const Fetched page = co_await fetch_whole(local.client, url, accepting_codings());
      EXPECT_EQ(page.field("Transfer-Encoding"), "");
      EXPECT_EQ(page.field("Content-Length"), "");
      EXPECT_EQ(page.body, server.page());
      EXPECT_EQ(local.client.pool().open(), 0u);
    }
  }(*nginx));
}

// Reads a body piece by piece and says how long it was. BORROWS: the client.
Task<Result<std::uint64_t>> count_body(Client& client, std::string url) {
  const Request request = make_request(url, {});
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  std::uint64_t bytes = 0;
  for (;;) {
    auto piece = co_await response->next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) break;
    bytes += piece->size();
  }
  EXPECT_TRUE(response->is_complete());
  co_return bytes;
}

TEST_P(NginxTest, GivesLargeFilesPieceByPiece) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({}, trusting(server.certificate_file()));
    for (const std::string& url : {server.url("/large.bin"), server.tls_url("/large.bin")}) {
      const auto bytes = co_await count_body(local.client, url);
      EXPECT_TRUE(bytes && *bytes == Nginx::kLargeBytes);
    }
    EXPECT_EQ(local.client.pool().idle(), 2u);
  }(*nginx));
}

TEST_P(NginxTest, IsCutOffAtTheLimitOfABody) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({.body_bytes_max = 100'000});
    auto cut = co_await fetch(local.client, server.url("/large.bin"));
    CHECK(cut);
    EXPECT_TRUE(cut->trouble && *cut->trouble == Errc::over_limit);
    EXPECT_FALSE(cut->is_complete);
    EXPECT_EQ(cut->body.size(), 100'000u);
    EXPECT_EQ(local.client.pool().open(), 0u) << "the rest would be taken for the next answer";
  }(*nginx));
}

TEST_P(NginxTest, AnswersWithoutABodyKeepTheConnection) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local;
    const std::string url = server.url("/page.html");
    const Fetched head = co_await fetch_whole(local.client, url, {.method = "HEAD"});
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.field("Content-Length"), std::to_string(server.page().size()));
    EXPECT_EQ(head.body, "");

    const std::string changed(head.field("Last-Modified"));
    const Fetched same =
        co_await fetch_whole(local.client, url, with_field("If-Modified-Since", changed));
    EXPECT_EQ(same.status, 304);
    EXPECT_EQ(same.body, "");

    const Fetched missing = co_await fetch_whole(local.client, server.url("/nowhere"));
    EXPECT_EQ(missing.status, 404);
    EXPECT_THAT(missing.body, HasSubstr("404 Not Found"));

    const Fetched range = co_await fetch_whole(local.client, url, with_field("Range", "bytes=2-8"));
    EXPECT_EQ(range.status, 206);
    EXPECT_EQ(range.body, server.page().substr(2, 7));

    const Fetched posted =
        co_await fetch_whole(local.client, url, {.method = "POST", .body = std::string("a=b")});
    EXPECT_EQ(posted.status, 405);
    EXPECT_EQ(local.client.pool().open(), 1u);
  }(*nginx));
}

TEST_P(NginxTest, MayCloseAConnectionWheneverItLikes) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local;
    std::vector<bool> reused;
    for (int i = 0; i < 6; ++i) {
      const Fetched page =
          co_await fetch_whole(local.client, server.url("/two_then_close/page.html"));
      EXPECT_EQ(page.body, server.page());
      reused.push_back(page.facts.reused);
    }
    EXPECT_EQ(reused, (std::vector<bool>{false, true, false, true, false, true}));
  }(*nginx));
}

// BORROWS: the client.
Task<Result<int>> fetch_status(Client& client, std::string url) {
  const Fetched fetched = co_await fetch_whole(client, std::move(url));
  co_return fetched.status;
}

TEST_P(NginxTest, ServesManyAtOnceWithinTheLimits) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local({.pool = {.exchanges_per_origin_max = 16, .connections_max = 24}},
                      trusting(server.certificate_file()));
    std::vector<Task<Result<int>>> tasks;
    for (int i = 0; i < 300; ++i) {
      const bool is_tls = i % 3 == 0;
      tasks.push_back(fetch_status(
          local.client, is_tls ? server.tls_url("/page.html") : server.url("/page.html")));
    }
    const auto statuses = co_await async::gather(std::move(tasks));
    for (const auto& status : statuses) EXPECT_TRUE(status && *status == 200);
    EXPECT_LE(local.client.pool().open(), 24u);
    EXPECT_TRUE(local.has_all_back());
  }(*nginx));
}

TEST_P(NginxTest, HearsNoCredentialsOfAnUrl) {
  run([](const Nginx& server) -> Task<void> {
    LocalClient local;
    const std::string address = "127.0.0.1:" + std::to_string(server.port());
    FetchOptions secrets = with_field("Authorization", "Basic c2VjcmV0");
    secrets.fields.push_back({"Cookie", "session=secret"});
    const Fetched told = co_await fetch_whole(local.client, server.url("/echo"), secrets);
    EXPECT_EQ(told.body, "Basic c2VjcmV0|session=secret|" + address);
    // What one request said stays with it, though the connection is the same.
    const Fetched after =
        co_await fetch_whole(local.client, "http://user:word@" + address + "/echo");
    EXPECT_TRUE(after.facts.reused);
    EXPECT_EQ(after.body, "||" + address);
  }(*nginx));
}

}  // namespace
}  // namespace gossamer::http

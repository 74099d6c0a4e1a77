// Tests `gossamer serve --cluster` with a real Redis server and real nodes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/end_to_end/crawl_cluster_run.h"
#include "tests/end_to_end/serve_run.h"
#include "tests/support/tls_test_certificates.h"

namespace gossamer::cli {
namespace {

using support::has;
using ::testing::HasSubstr;

// Prints a stream as it comes: URL, Authorization.
constexpr const char* kReadLines =
    "import sys, urllib.request as r\n"
    "open = r.build_opener(r.ProxyHandler({})).open\n"
    "for line in open(r.Request(sys.argv[1], headers={'Authorization': sys.argv[2]})):\n"
    "    sys.stdout.write(line.decode())\n";

class ServeClusterTest : public CrawlClusterTest {
 protected:
  // Waits for an event of the crawl with these words. Returns it, or the last one.
  std::string wait_for_event(const ServeRun& server, const std::vector<std::string>& words) {
    const std::string file = folder_.file("events" + std::to_string(streams_++));
    const support::Program stream(
        {support::kPython, "-uc", kReadLines, server.address() + "api/v1/live/events?crawl=0",
         "Bearer " + server.token()},
        file);
    std::string event;
    support::wait_until([&] {
      const std::string text = support::file_content(file);
      const std::size_t end = text.rfind("\n\n");
      const std::size_t begin = text.rfind("data: {", end);
      if (end == std::string::npos || begin == std::string::npos) return false;
      event = text.substr(begin, end - begin);
      return std::ranges::all_of(words, [&](const auto& word) { return has(event, word); });
    });
    return event;
  }
  static std::string act(const ServeRun& server, const std::string& members) {
    return server.post("live/act", R"({"crawl": 0, )" + members + "}");
  }

  int streams_ = 0;
};

TEST_F(ServeClusterTest, ShowsAndSteersASharedCrawl) {
  RedisServer redis;
  const std::string url = url_of(redis);
  const ServeRun server({"--cluster", url});
  EXPECT_THAT(wait_for_event(server, {R"("state": "missing")"}),
              HasSubstr(R"("cluster": null, "problem": "Redis has no crawl of this name.")"));
  EXPECT_THAT(act(server, R"("do": "pause")"), HasSubstr("HTTP/1.1 409 "));

  serve(2000, 30ms);
  start_together(url, 2);
  EXPECT_THAT(wait_for_event(server, {R"("state": "running")", R"("pages_per_second")",
                                      R"("pages_per_second")"}),
              HasSubstr(R"("problem": null)"));
  EXPECT_THAT(server.api("live"), HasSubstr(R"("kind": "cluster")"));
  EXPECT_THAT(server.api("live"), HasSubstr(R"("name": ")" + url));
  EXPECT_THAT(
      fetched({server.address() + "metrics", "-H", "Authorization: Bearer " + server.token()}),
      HasSubstr("gossamer_cluster_nodes{crawl=\"" + url + "\"} 2"));

  EXPECT_THAT(act(server, R"("do": "pause")"), HasSubstr("the crawl pauses"));
  EXPECT_THAT(act(server, R"("do": "add", "url": "http://127.0.0.1:1/more")"),
              HasSubstr("1 URL added"));
  EXPECT_THAT(act(server, R"("do": "add", "url": "ftp://a.example/")"),
              HasSubstr("is not an http URL"));
  EXPECT_THAT(act(server, R"("do": "block", "host": "127.0.0.6")"), HasSubstr("1 host blocked"));
  EXPECT_THAT(act(server, R"("do": "unblock", "host": "127.0.0.6")"),
              HasSubstr("1 host unblocked"));
  EXPECT_THAT(act(server, R"("do": "rate", "rate": "5/s")"), HasSubstr("HTTP/1.1 409 "));
  const std::string paused =
      wait_for_event(server, {R"("state": "paused")", R"("orders": 3)", R"("do": "rate 5/s")"});
  EXPECT_THAT(paused, HasSubstr(R"("do": "pause", "ok": true)"));
  EXPECT_THAT(paused, HasSubstr(R"("do": "block 127.0.0.6", "ok": true)"));
  EXPECT_THAT(paused, HasSubstr("The crawl is paused on 2 nodes"));

  EXPECT_THAT(act(server, R"("do": "resume")"), HasSubstr("the crawl continues"));
  EXPECT_THAT(act(server, R"("do": "stop")"), HasSubstr("the crawl stops"));
  wait_for_event(server, {"The crawl was stopped"});
  for (auto& node : nodes_) static_cast<void>(node->wait());
}

TEST_F(ServeClusterTest, ShowsAndSteersACrawlInARedisCluster) {
  redis::RedisCluster redis(redis::RedisCluster::kSteady);
  ASSERT_NO_FATAL_FAILURE(redis.form());
  // One server is enough to find the others.
  const std::string url = "redis://" + redis.server(1).node().to_string() + "/museum";
  const ServeRun server({"--cluster", url});
  wait_for_event(server, {R"("state": "missing")"});
  serve(500, 20ms);
  start(url);
  EXPECT_THAT(wait_for_event(server, {R"("state": "running")", R"("pages_per_second")"}),
              HasSubstr(R"("problem": null)"));
  EXPECT_THAT(act(server, R"("do": "block", "host": "127.0.0.6")"), HasSubstr("1 host blocked"));
  EXPECT_THAT(act(server, R"("do": "stop")"), HasSubstr("the crawl stops"));
  wait_for_event(server, {R"("orders": 1)", "The crawl was stopped"});
  static_cast<void>(nodes_[0]->wait());
}

TEST_F(ServeClusterTest, ShowsAndSteersACrawlOverTls) {
  const net::TestIdentity authority = net::make_authority();
  const net::TestIdentity identity =
      net::make_identity({.alternative_names = "IP:127.0.0.1"}, &authority);
  const net::TestFile ca(authority.certificate_pem());
  const net::TestFile certificate(identity.certificate_pem());
  const net::TestFile key(identity.key_pem());
  const RedisServer redis({"--tls-cert-file", certificate.path(), "--tls-key-file", key.path(),
                           "--tls-ca-cert-file", ca.path(), "--tls-auth-clients", "no"},
                          true);
  const std::string url = "rediss://" + redis.node().to_string() + "/museum";
  serve(500, 20ms);
  start(url, roots({"--cluster-cacert", ca.path()}));
  const ServeRun server({"--cluster", url, "--cluster-cacert", ca.path()});
  EXPECT_THAT(wait_for_event(server, {R"("state": "running")", R"("pages_per_second")"}),
              HasSubstr(R"("problem": null)"));
  EXPECT_THAT(act(server, R"("do": "block", "host": "127.0.0.6")"), HasSubstr("1 host blocked"));
  EXPECT_THAT(act(server, R"("do": "stop")"), HasSubstr("the crawl stops"));
  wait_for_event(server, {R"("orders": 1)", "The crawl was stopped"});
  static_cast<void>(nodes_[0]->wait());
  const ServeRun distrusting({"--cluster", url});
  EXPECT_THAT(wait_for_event(distrusting, {R"("state": "unreachable")"}), HasSubstr("certificate"));
}

TEST_F(ServeClusterTest, SaysThatRedisIsGoneAndComesBack) {
  RedisServer redis;
  const std::string url = url_of(redis);
  serve(20, 1ms);
  start(url);
  expect_success(0);
  ServeRun server({"--cluster", url});
  wait_for_event(server, {R"("state": "ended")"});
  tell(redis, {"SAVE"});
  redis.kill();
  const std::string gone = wait_for_event(server, {R"("state": "unreachable")"});
  EXPECT_THAT(gone, HasSubstr("Redis cannot be read"));
  EXPECT_THAT(gone, HasSubstr(R"("cluster": {"crawl": "museum")")) << "the last state";
  EXPECT_THAT(act(server, R"("do": "pause")"), HasSubstr("HTTP/1.1 409 "));
  redis.start();
  // The last state of the crawl is "ended" all the time.
  EXPECT_THAT(wait_for_event(server, {R"("crawl": 0, "state": "ended")"}),
              HasSubstr(R"("problem": null)"));
  server.process().send_signal(SIGINT);
  EXPECT_EQ(server.process().wait(), 0) << server.process().err();
}

}  // namespace
}  // namespace gossamer::cli

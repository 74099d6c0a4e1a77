#include "report/root_troubles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace gossamer::report {
namespace {

std::string told(std::string_view error, std::string detail) {
  RootTroubles troubles;
  crawler::FetchRecord record;
  record.url = "http://a.example/";
  record.error = error;
  record.error_detail = std::move(detail);
  troubles.add(record);
  return troubles.text("crawl");
}

std::string told(crawler::SkipReason reason) {
  RootTroubles troubles;
  troubles.add(crawler::SkippedUrl{.url = "http://a.example/", .reason = reason, .detail = {}});
  return troubles.text("crawl");
}

TEST(RootTroubles, NameTheReasonAndTheRemedy) {
  EXPECT_EQ(told("dns_failed", "the name has no address"),
            "gossamer crawl: http://a.example/ could not be fetched: there is no host named "
            "a.example. Check the spelling.\n");
  EXPECT_EQ(told("refused", "connect"),
            "gossamer crawl: http://a.example/ could not be fetched: connection refused. Check "
            "that the server is running and that the port is right.\n");
  EXPECT_EQ(told("tls_failed", "tls_failed: certificate expired, while connecting to a.example"),
            "gossamer crawl: http://a.example/ could not be fetched: certificate expired. Use "
            "`cacert` FILE to trust its certificate, or `insecure` to accept any.\n");
  struct Row {
    std::string text;
    std::string_view remedy;
  };
  for (const Row& row : {Row{told("tls_failed", "certificate expired"), "`insecure`"},
                         Row{told("tls_failed", "certificate expired"), "`cacert`"},
                         Row{told("denied", "10.0.0.1:80 is a special address"), "`allow-private`"},
                         Row{told("dns_failed", "SERVFAIL"), "`dns-servers`"},
                         Row{told("timed_out", "10 s passed"), "`timeout`"},
                         Row{told(crawler::SkipReason::robots), "`no-robots`"},
                         Row{told(crawler::SkipReason::robots_unreachable), "`no-robots`"}}) {
    EXPECT_NE(row.text.find(row.remedy), std::string::npos) << row.text;
  }
}

TEST(RootTroubles, NameTheProxyThatIsDown) {
  EXPECT_EQ(told("refused",
                 "refused: connect: Connection refused, 127.0.0.1:9981, while connecting to the "
                 "proxy http://127.0.0.1:9981, while fetching robots.txt"),
            "gossamer crawl: http://a.example/ could not be fetched: the proxy "
            "http://127.0.0.1:9981 could not be reached (connect: Connection refused, "
            "127.0.0.1:9981). Check `proxy` and http_proxy.\n");
}

TEST(RootTroubles, SuggestHttpToAServerWithoutTls) {
  RootTroubles troubles;
  crawler::FetchRecord record;
  record.url = "https://a.example:8080/";
  record.error = "tls_failed";
  record.error_detail = "tls_failed: the peer does not speak TLS: wrong version number";
  troubles.add(record);
  EXPECT_EQ(troubles.text("crawl"),
            "gossamer crawl: https://a.example:8080/ could not be fetched: the server does not "
            "speak TLS on this port. Try http://a.example:8080/.\n");
}

TEST(RootTroubles, AreOnlyOfRootsAndFew) {
  RootTroubles troubles;
  crawler::FetchRecord record;
  record.error = "refused";
  record.via = "http://a.example/";
  troubles.add(record);
  record.via.clear();
  record.status = 404;
  troubles.add(record);
  EXPECT_EQ(troubles.text("crawl"), "");
  record.status.reset();
  for (int i = 0; i < 1000; ++i) troubles.add(record);
  const std::string text = troubles.text("crawl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  EXPECT_NE(text.find("995 more URLs"), std::string::npos) << text;
}

}  // namespace
}  // namespace gossamer::report

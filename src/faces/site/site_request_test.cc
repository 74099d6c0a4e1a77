#include "site/site_request.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::site {
namespace {

TEST(SiteRequestTest, WaitsForTheWholeHead) {
  const std::string text = "GET /a?b HTTP/1.1\r\nHost: site.example\r\nUser-Agent: x/1\r\n\r\n";
  SiteRequest request;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(read_request(text.substr(0, size), request).value(), 0u);
  }
  const std::string two = text + text;
  EXPECT_EQ(read_request(two, request).value(), text.size());
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/a?b");
  EXPECT_EQ(request.host, "site.example");
  EXPECT_EQ(request.user_agent, "x/1");
  EXPECT_TRUE(request.keeps_alive);
  EXPECT_FALSE(request.accepts_gzip);
}

SiteRequest read(const std::string& text) {
  SiteRequest request;
  EXPECT_EQ(read_request(text, request).value_or(0), text.size());
  return request;
}

TEST(SiteRequestTest, KnowsWhetherTheConnectionContinues) {
  EXPECT_FALSE(read("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n").keeps_alive);
  EXPECT_FALSE(read("GET / HTTP/1.0\r\n\r\n").keeps_alive);
  EXPECT_TRUE(read("GET / HTTP/1.0\r\nconnection: Keep-Alive\r\n\r\n").keeps_alive);
}

TEST(SiteRequestTest, KnowsWhatTheClientCanRead) {
  EXPECT_TRUE(read("GET / HTTP/1.1\r\nAccept-Encoding: br, gzip;q=0.5\r\n\r\n").accepts_gzip);
  EXPECT_FALSE(read("GET / HTTP/1.1\r\nAccept-Encoding: br, gzipped\r\n\r\n").accepts_gzip);
}

TEST(SiteRequestTest, TakesAddressesAsProxiesGetThem) {
  const std::string text = "GET http://b.example:8080/x?y HTTP/1.1\r\nHost: a.example\r\n\r\n";
  const SiteRequest request = read(text);
  EXPECT_EQ(request.host, "b.example:8080");
  EXPECT_EQ(request.target, "/x?y");
}

TEST(SiteRequestTest, RejectsInvalidRequests) {
  SiteRequest request;
  for (const char* const text :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", " / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET  HTTP/1.1\r\n\r\n"}) {
    EXPECT_FALSE(read_request(text, request)) << text;
  }
}

}  // namespace
}  // namespace gossamer::site

#include "settings/crawl_fields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::run {
namespace {

CrawlFields fields_for(const std::vector<http::Field>& given, const std::string& root) {
  CrawlFields fields = CrawlFields::make(given).value();
  EXPECT_TRUE(fields.add_root(url::Url::parse(root).value()));
  return fields;
}

// The fields of a request to this URL, each as "Name: value".
std::vector<std::string> told(const CrawlFields& fields, const std::string& url) {
  http::Request request;
  request.url = url::Url::parse(url).value();
  fields.edit(request);
  std::vector<std::string> lines;
  for (const http::Field& field : request.fields) lines.push_back(field.name + ": " + field.value);
  return lines;
}

TEST(CrawlFieldsTest, SendsSecretsOnlyToTheOriginOfTheRoot) {
  const CrawlFields fields =
      fields_for({{"X-Api-Key", "word"}, {"accept-language", "de"}}, "https://a.example:8443/x");
  const std::vector<std::string> secret = {"X-Api-Key: word"};
  EXPECT_EQ(told(fields, "https://a.example:8443/"), secret);
  for (const char* url : {"https://a.example/", "http://a.example:8443/", "https://b.example:8443/",
                          "https://www.a.example:8443/", "https://a.example.evil.example:8443/"}) {
    EXPECT_TRUE(told(fields, url).empty()) << url;
  }
  ASSERT_EQ(fields.open().size(), 1u);
  EXPECT_EQ(fields.open()[0].name, "accept-language");
}

TEST(CrawlFieldsTest, AlsoSendsSecretsToTheHttpsOriginOfAnHttpRoot) {
  const CrawlFields fields = fields_for({{"Authorization", "word"}}, "http://a.example/");
  EXPECT_EQ(told(fields, "https://a.example/b").size(), 1u);
  EXPECT_TRUE(told(fields, "https://a.example:444/b").empty());
  const CrawlFields secure = fields_for({{"Authorization", "word"}}, "https://a.example/");
  EXPECT_TRUE(told(secure, "http://a.example/").empty()) << "never from https to http";
}

TEST(CrawlFieldsTest, SendsThePasswordOfAUrlToItsOrigin) {
  CrawlFields fields = fields_for({}, "https://jan:w%6frd@a.example/");
  EXPECT_TRUE(fields.add_root(url::Url::parse("https://b.example/").value()));
  EXPECT_EQ(told(fields, "https://a.example/"),
            std::vector<std::string>{"Authorization: Basic amFuOndvcmQ="});
  EXPECT_TRUE(told(fields, "https://b.example/").empty());
}

TEST(CrawlFieldsTest, JoinsCookieFields) {
  const CrawlFields fields = fields_for({{"cookie", "a=1"}}, "https://a.example/");
  http::Request request;
  request.url = url::Url::parse("https://a.example/").value();
  request.fields.push_back({"Cookie", "b=2"});
  fields.edit(request);
  ASSERT_EQ(request.fields.size(), 1u);
  EXPECT_EQ(request.fields[0].value, "b=2; a=1");
}

TEST(CrawlFieldsTest, FieldsOfAHostReplaceOthers) {
  CrawlFields fields = CrawlFields::make({}).value();
  ASSERT_TRUE(fields.add_host("*.example",
                              {{"x-one", "host"}, {"Cookie", "b=2"}, {"Accept", "text/plain"}}));
  fields.seal_hosts();
  const auto sent = [&fields](const char* url) {
    http::Request request;
    request.url = *url::Url::parse(url);
    request.fields = {{"X-One", "crawl"}, {"cookie", "a=1"}};
    fields.edit(request);
    std::string all;
    for (const http::Field& field : request.fields) all += field.name + ": " + field.value + "; ";
    return all;
  };
  EXPECT_EQ(sent("https://a.example/"), "X-One: host; cookie: a=1; b=2; Accept: text/plain; ");
  EXPECT_EQ(sent("http://a.example/"), "X-One: crawl; cookie: a=1; Accept: text/plain; ")
      << "without https only what everybody may read";
  EXPECT_EQ(sent("https://a.example:8443/"), "X-One: crawl; cookie: a=1; Accept: text/plain; ");
  EXPECT_EQ(sent("https://other.test/"), "X-One: crawl; cookie: a=1; ");
}

TEST(CrawlFieldsTest, RejectsFieldsThatBreakRequests) {
  for (const http::Field& field : {http::Field{"A b", "c"},
                                   {"", "c"},
                                   {"A", "b\nC: d"},
                                   {"host", "b"},
                                   {"Content-Length", "5"},
                                   {"Transfer-Encoding", "chunked"},
                                   {"Connection", "close"}}) {
    EXPECT_FALSE(CrawlFields::make({field})) << field.name;
  }
}

TEST(ProductTokenTest, IsTheNameOfTheCrawler) {
  EXPECT_EQ(product_token("gossamer/0.1.0"), "gossamer");
  EXPECT_EQ(product_token("My-Bot/2.0 (+https://a.example)"), "my-bot");
  EXPECT_EQ(product_token("Mozilla/5.0 (compatible; MyBot/2.0; +https://a.example)"), "mybot");
  EXPECT_EQ(product_token("/2.0"), "");
  EXPECT_EQ(product_token(""), "");
}

}  // namespace
}  // namespace gossamer::run

#include "engine/page/part_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gossamer::crawler {
namespace {

using Fields = std::vector<http::Field>;

http::Request request_to(const std::string& url, Fields fields = {}) {
  return {.url = *url::Url::parse(url), .fields = std::move(fields)};
}

render::PartAnswer script(std::string body, Fields fields = {}) {
  fields.push_back({"Content-Type", "text/javascript"});
  return {.status = 200, .fields = std::move(fields), .body = std::move(body)};
}

TEST(PartCache, ReturnsAnAnswerForItsTime) {
  PartCache cache;
  const http::Request request = request_to("https://a.example/x.js");
  const Instant now = {};
  EXPECT_EQ(cache.find(request, now), nullptr);
  cache.put(request, script("one", {{"Cache-Control", "public, max-age=60"}}), now);
  ASSERT_NE(cache.find(request, now + 59s), nullptr);
  EXPECT_EQ(cache.find(request, now + 59s)->body, "one");
  EXPECT_EQ(cache.find(request, now + 60s), nullptr);
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(PartCache, KnowsWhichAnswersMayBeUsedAgain) {
  EXPECT_EQ(age_max_of(script("x")), kPartAge);
  EXPECT_EQ(age_max_of(script("x", {{"Vary", "Accept-Encoding, Origin"}})), kPartAge);
  EXPECT_EQ(age_max_of(script("x", {{"Cache-Control", "max-age=31536000"}})), 24h);
  for (const auto& [name, value] : {std::pair("Cache-Control", "no-store"),
                                    {"cache-control", "max-age=9, No-Cache"},
                                    {"Cache-Control", "max-age=0"},
                                    {"Cache-Control", "max-age=soon"},
                                    {"Set-Cookie", "a=1"},
                                    {"Vary", "Cookie"},
                                    {"Vary", "*"}}) {
    EXPECT_EQ(age_max_of(script("x", {{name, value}})), Duration::zero()) << name << value;
  }
  const auto data = [](Fields fields) {
    fields.push_back({"Content-Type", "application/json"});
    return render::PartAnswer{.status = 200, .fields = std::move(fields), .body = "{}"};
  };
  EXPECT_EQ(age_max_of(data({})), Duration::zero());
  EXPECT_EQ(age_max_of(data({{"Cache-Control", "max-age=5"}})), 5s);
  render::PartAnswer missing = script("x");
  missing.status = 404;
  EXPECT_EQ(age_max_of(missing), Duration::zero());
}

TEST(PartCache, KeepsRequestsApart) {
  PartCache cache;
  const Instant now = {};
  const std::string url = "https://a.example/x.js";
  cache.put(request_to(url, {{"Origin", "https://b.example"}}), script("b"), now);
  EXPECT_EQ(cache.find(request_to(url), now), nullptr);
  EXPECT_NE(cache.find(request_to(url, {{"origin", "https://b.example"}}), now), nullptr);
  http::Request post = request_to(url);
  post.method = "POST";
  cache.put(post, script("x"), now);
  const http::Request with_password = request_to(url, {{"Authorization", "Basic x"}});
  cache.put(with_password, script("x"), now);
  EXPECT_EQ(cache.find(post, now), nullptr);
  EXPECT_EQ(cache.find(with_password, now), nullptr);
  EXPECT_EQ(cache.find(request_to(url), now), nullptr);
}

TEST(PartCache, HasABound) {
  PartCache cache(100'000);
  const Instant now = {};
  const auto url = [](int i) { return request_to("https://a.example/" + std::to_string(i)); };
  for (int i = 0; i < 100; ++i) {
    cache.put(url(i), script(std::string(9000, 'x')), now);
    EXPECT_NE(cache.find(url(0), now), nullptr) << "it was used";
    EXPECT_LE(cache.bytes(), 100'000U);
  }
  EXPECT_EQ(cache.find(url(50), now), nullptr);
  EXPECT_NE(cache.find(url(99), now), nullptr);
  cache.put(url(200), script(std::string(20'000, 'x')), now);
  EXPECT_EQ(cache.find(url(200), now), nullptr) << "too large for it";
}

// Hosts choose how long the URLs and fields of their parts are.
TEST(PartCache, CountsUrlsAndFields) {
  PartCache cache(100'000);
  const auto url = [](int i) {
    return request_to("https://a.example/" + std::to_string(i) + std::string(9000, 'u'));
  };
  for (int i = 0; i < 10; ++i) cache.put(url(i), script("x"), {});
  EXPECT_EQ(cache.find(url(0), {}), nullptr);
  EXPECT_NE(cache.find(url(9), {}), nullptr);
  const http::Request large = request_to("https://a.example/");
  cache.put(large, script("x", {{"X-Large", std::string(20'000, 'f')}}), {});
  EXPECT_EQ(cache.find(large, {}), nullptr) << "too large for it";
}

TEST(PartCache, ReplacesAnAnswer) {
  PartCache cache;
  const http::Request request = request_to("https://a.example/x.js");
  cache.put(request, script("one"), {});
  cache.put(request, script("other"), {});
  EXPECT_EQ(cache.find(request, {})->body, "other");
}

}  // namespace
}  // namespace gossamer::crawler

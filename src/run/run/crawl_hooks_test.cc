#include "run/crawl_hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "settings/crawl_settings.h"

namespace gossamer::run {
namespace {

using testing::Contains;

TEST(CrawlHooksTest, CallsTheUsersHooksAfterOurs) {
  crawler::Hooks hooks;
  std::vector<std::string> seen;
  hooks.edit_request = [&seen](http::Request& request) {
    for (const http::Field& field : request.fields) seen.push_back(field.name);
  };
  CrawlSettings settings("https://name:secret@a.example/");
  ASSERT_TRUE(complete(settings));
  hooks = hooks_of_loop(settings.fields, std::move(hooks));
  http::Request request;
  request.url = url::Url::parse("https://a.example/page").value();
  hooks.edit_request(request);
  EXPECT_THAT(seen, Contains("Authorization"));
}

}  // namespace
}  // namespace gossamer::run

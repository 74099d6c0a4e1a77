#include "serve/new_crawls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "store/job_folder.h"
#include "tests/simulated/world.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NewCrawl, ReadsAForm) {
  const auto crawl = parse_new_crawl(
      R"({"url": "museum.example/a#b", "folder": "museum-1", "depth": 3, "limit": "50",
          "assets": true, "max_redirect": null, "exclude": ["/a", "/b"], "order": ""})",
      "/crawls");
  ASSERT_TRUE(crawl) << crawl.error().to_string();
  EXPECT_EQ(crawl->folder, "/crawls/museum-1");
  EXPECT_EQ(crawl->socket, "/crawls/museum-1/control");
  EXPECT_THAT(crawl->url, testing::EndsWith("://museum.example/a"));
  const auto words = settings::crawl_words(crawl->settings);
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, ElementsAre("--depth=3", "--limit=50", "--assets", "--exclude=/a",
                                  "--exclude=/b", "--job=/crawls/museum-1",
                                  "--control=/crawls/museum-1/control", "--index"));
}

TEST(NewCrawl, RejectsFoldersThatLeadElsewhere) {
  for (const std::string& name :
       std::vector<std::string>{"", ".", "..", "../a", "a/b", "/a", ".hidden", "-j", "--config",
                                "a\\\\b", "a b", "a\\u0000", "\\u00e4", std::string(65, 'a')}) {
    EXPECT_FALSE(
        parse_new_crawl(R"({"url": "http://a.example/", "folder": ")" + name + "\"}", "/c"))
        << name;
  }
  EXPECT_FALSE(parse_new_crawl(R"({"url": "http://a.example/", "folder": "a"})",
                               "/" + std::string(120, 'c')))
      << "the path of its socket is too long";
}

TEST(NewCrawl, RejectsOtherValues) {
  for (const std::string body :
       {"", "[]", "{}", R"({"folder": "a"})", R"({"url": "file:///etc/passwd", "folder": "a"})",
        R"({"url": "--config=x", "folder": "a"})",
        R"({"url": "http://u:p@a.example/", "folder": "a"})",
        R"({"url": "http://a.example/", "folder": "a", "depth": -1})",
        R"({"url": "http://a.example/", "folder": "a", "depth": "2 --config x"})",
        R"({"url": "http://a.example/", "folder": "a", "limit": 0})",
        R"({"url": "http://a.example/", "folder": "a", "exclude": ["("]})"}) {
    EXPECT_FALSE(parse_new_crawl(body, "/c")) << body;
  }
}

// Makes an empty crawl directory instead of a crawl.
class FakeStarter final : public CrawlStarter {
 public:
  Result<void> start(const NewCrawl& crawl) override {
    started.push_back(crawl.url);
    folders.push_back(crawl.folder);
    if (!makes_folders || hangs) return {};
    auto made = store::JobFolder::open(crawl.folder, store::JobFolder::Access::write);
    if (!made) return fail(std::move(made).error());
    return made->write_configuration("# format 1\n");
  }
  void stop(const std::string& folder) override { stopped.push_back(folder); }
  bool is_running(const std::string& folder) override {
    return makes_folders && std::ranges::find(folders, folder) != folders.end();
  }
  std::size_t running() override { return count; }

  std::vector<std::string> started;
  std::vector<std::string> folders;
  std::vector<std::string> stopped;
  std::size_t count = 0;
  bool makes_folders = true;
  bool hangs = false;  // it runs, and makes no folder
};

class NewCrawlsTest : public testing::Test {
 protected:
  server::Response start(const std::string& body) {
    server::Request request;
    request.method = "POST";
    request.body = body;
    auto world = sim::World::calm();
    return world.run(new_crawls_.start(request));
  }

  tests::TemporaryFolder folder_;
  FakeStarter starter_;
  std::unique_ptr<captures::Collection> collection_ = std::move(*captures::Collection::open({}));
  std::vector<std::unique_ptr<LiveCrawl>> crawls_;
  async::ThreadPool threads_{0};
  NewCrawls new_crawls_{folder_.path(), &starter_, *collection_, crawls_, threads_};
};

constexpr const char* kForm = R"({"url": "http://a.example/", "folder": "a"})";

TEST_F(NewCrawlsTest, ServesTheCrawlThatItStarted) {
  const server::Response response = start(kForm);
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_THAT(starter_.started, ElementsAre("http://a.example/"));
  ASSERT_EQ(crawls_.size(), 1u);
  EXPECT_EQ(crawls_[0]->archive(), 0u);
  EXPECT_EQ(crawls_[0]->name(), folder_.path() + "/a/control");
  EXPECT_EQ(start(kForm).status, 409) << "the folder exists";
  EXPECT_EQ(starter_.started.size(), 1u);
}

TEST_F(NewCrawlsTest, StartsNoSecondCrawlBeforeTheFolderOfTheFirstExists) {
  starter_.folders.push_back(folder_.path() + "/a");
  EXPECT_EQ(start(kForm).status, 409);
  EXPECT_THAT(starter_.started, IsEmpty());
}

TEST_F(NewCrawlsTest, SaysThatACrawlDidNotBegin) {
  starter_.makes_folders = false;
  const server::Response response = start(kForm);
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, HasSubstr("ended before it began"));
  EXPECT_THAT(crawls_, IsEmpty());
}

TEST_F(NewCrawlsTest, StopsACrawlThatDoesNotBeginInTime) {
  starter_.hangs = true;
  const server::Response response = start(kForm);
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, HasSubstr("was stopped"));
  EXPECT_THAT(starter_.stopped, ElementsAre(folder_.path() + "/a"));
  EXPECT_THAT(crawls_, IsEmpty());
}

TEST_F(NewCrawlsTest, StartsAFewAtATime) {
  starter_.count = NewCrawls::kRunningMax;
  EXPECT_EQ(start(kForm).status, 503);
  EXPECT_THAT(starter_.started, IsEmpty());
}

TEST_F(NewCrawlsTest, StartsNothingUnlessItIsOn) {
  NewCrawls off("", &starter_, *collection_, crawls_, threads_);
  NewCrawls without(folder_.path(), nullptr, *collection_, crawls_, threads_);
  server::Request request;
  request.body = kForm;
  auto world = sim::World::calm();
  EXPECT_EQ(world.run(off.start(request)).status, 403);
  EXPECT_EQ(world.run(without.start(request)).status, 403);
  EXPECT_THAT(starter_.started, IsEmpty());
}

}  // namespace
}  // namespace gossamer::serve

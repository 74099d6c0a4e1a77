#include "settings/crawl_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "settings/limits.h"

namespace gossamer::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

CrawlSettings completed(CrawlSettings settings) {
  const auto done = complete(settings);
  EXPECT_TRUE(done) << done.error().to_string();
  return settings;
}

std::string field_of(const CrawlSettings& settings, std::string_view name) {
  for (const http::Field& field : settings.web.client.fields) {
    if (field.name == name) return field.value;
  }
  return {};
}

TEST(CrawlSettingsTest, TakesOurNameFromTheUserAgent) {
  EXPECT_EQ(completed(CrawlSettings("a.example")).agent, "gossamer");
  CrawlSettings settings("a.example");
  settings.user_agent = "MyBot/2.0 (+https://b.example/)";
  settings = completed(std::move(settings));
  EXPECT_EQ(settings.agent, "mybot");
  EXPECT_EQ(field_of(settings, "User-Agent"), "MyBot/2.0 (+https://b.example/)");
}

TEST(CrawlSettingsTest, LetsTheUserReplaceAField) {
  CrawlSettings settings("a.example");
  settings.fields =
      std::make_shared<CrawlFields>(CrawlFields::make({{"accept", "text/plain"}}).value());
  settings = completed(std::move(settings));
  EXPECT_EQ(field_of(settings, "Accept"), "");
  EXPECT_EQ(field_of(settings, "accept"), "text/plain");
}

TEST(CrawlSettingsTest, DividesTheConcurrencyAmongTheThreads) {
  CrawlSettings settings("a.example");
  settings.concurrency = 10;
  settings.threads = 4;
  EXPECT_EQ(completed(std::move(settings)).concurrency, 2U);
  CrawlSettings narrow("a.example");
  narrow.concurrency = 2;
  narrow.threads = 8;
  narrow = completed(std::move(narrow));
  EXPECT_EQ(narrow.threads, 2U);
  EXPECT_EQ(narrow.concurrency, 1U);
}

TEST(CrawlSettingsTest, AHostMayHaveAllRequestsOfALoop) {
  CrawlSettings settings("a.example");
  settings.concurrency = 12;
  settings.threads = 4;
  const http::PoolOptions pool = completed(std::move(settings)).web.client.pool;
  EXPECT_EQ(pool.exchanges_per_origin_max, 3U);
  EXPECT_EQ(pool.idle_per_origin_max, 3U);
  EXPECT_EQ(pool.connections_max, 1024U) << "idle connections of many hosts";
  CrawlSettings large("a.example");
  large.concurrency = 4000;
  EXPECT_EQ(completed(std::move(large)).web.client.pool.connections_max, 5064U);
  CrawlSettings steered("a.example");
  steered.control_socket = "control";
  EXPECT_EQ(completed(std::move(steered)).web.client.pool.connections_max, 100'000U)
      << "its user may raise the concurrency";
}

TEST(CrawlSettingsTest, ASharedCrawlHasOnlyUrlsThatFitIntoRedis) {
  CrawlSettings settings("a.example");
  settings.cluster.url = "redis://127.0.0.1/museum";
  settings.job.folder = "node";
  settings.scope.url_bytes_max = 65'536;
  EXPECT_TRUE(validate_cluster(settings));
  settings.scope.url_bytes_max = 65'537;
  const auto refused = validate_cluster(settings);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("`max-url-length`"));
}

TEST(CrawlSettingsTest, AllowsTheHostsOfTheRoots) {
  CrawlSettings settings("http://localhost/");
  settings.roots.emplace_back("http://10.0.0.1/");
  settings.roots.emplace_back("http://10.0.0.1/x");
  settings.logins.push_back({.url = "http://10.0.0.2/", .fields = {{"name", "x"}}});
  EXPECT_THAT(completed(std::move(settings)).web.guard.allowed_hosts,
              ElementsAre("localhost", "10.0.0.1", "10.0.0.2"));
}

TEST(CrawlSettingsTest, KeepsBodiesForArchivesAndJobs) {
  CrawlSettings settings("a.example");
  settings.job.folder = "some/where//";
  settings = completed(std::move(settings));
  EXPECT_EQ(settings.job.folder, "some/where");
  EXPECT_EQ(settings.archive.file, "some/where/archive/crawl");
  EXPECT_TRUE(settings.keeps_captures && settings.keeps_validators);
  EXPECT_TRUE(settings.web.client.keep_request);
  EXPECT_NE(settings.job.configuration.find("url = [\"a.example\"]"), std::string::npos);
}

CrawlSettings with_memory(std::uint64_t megabytes, const std::string& folder) {
  CrawlSettings settings("a.example");
  settings.job.memory_bytes = megabytes * 1024 * 1024;
  settings.job.folder = folder;
  return completed(std::move(settings));
}

TEST(CrawlSettingsTest, DividesTheMemory) {
  EXPECT_EQ(with_memory(84, "museum").host_bytes_max, 10U * 1024 * 1024);
  EXPECT_EQ(with_memory(84, "museum").body_memory_max, 20U * 1024 * 1024);
  EXPECT_EQ(with_memory(84, "").body_memory_max, 20U * 1024 * 1024);
  EXPECT_EQ(with_memory(84, "").host_bytes_max, 40U * 1024 * 1024);
}

// Each takes a quarter of it, from what the others have.
TEST(CrawlSettingsTest, ReportsAndSimilarTextsArePartsOfTheMemory) {
  CrawlSettings settings("a.example");
  settings.job.memory_bytes = std::uint64_t{128} * 1024 * 1024;
  settings.job.report_bytes = std::uint64_t{32} * 1024 * 1024;
  settings.finds_similar = true;
  const CrawlSettings done = completed(std::move(settings));
  EXPECT_EQ(done.job.similar_bytes, 32U * 1024 * 1024);
  EXPECT_EQ(memory_share(done.job), (128U - 24 - 32 - 32) * 1024 * 1024 / 6);
}

// Unread bytes of HTTP/2 streams use memory, too.
TEST(CrawlSettingsTest, LimitsTheStreamsOfHttp2ByTheMemory) {
  CrawlSettings settings("a.example");
  EXPECT_EQ(completed(std::move(settings)).web.client.stream_window, 128U * 1024);
  CrawlSettings small("a.example");
  small.job.memory_bytes = std::uint64_t{120} * 1024 * 1024;
  small.concurrency = 128;
  EXPECT_EQ(completed(std::move(small)).web.client.stream_window, 32U * 1024);
  CrawlSettings many("a.example");
  many.concurrency = 10'000;
  EXPECT_EQ(completed(std::move(many)).web.client.stream_window, 16U * 1024);
}

// The DNS cache uses memory, too.
TEST(CrawlSettingsTest, LimitsTheDnsCacheByTheMemory) {
  EXPECT_GE(with_memory(8, "museum").web.dns_names_max, 1'000U);
  EXPECT_LT(with_memory(8, "museum").web.dns_names_max, 2'000U);
  EXPECT_LT(with_memory(64, "museum").web.dns_names_max, 12'000U);
  EXPECT_EQ(with_memory(4096, "museum").web.dns_names_max, 100'000U);
}

TEST(CrawlSettingsTest, RejectsInvalidSettings) {
  CrawlSettings threads("a.example");
  threads.threads = 1000;
  CrawlSettings memory("a.example");
  memory.job.memory_bytes = 1000;
  CrawlSettings nameless("a.example");
  nameless.user_agent = "(nobody)";
  for (CrawlSettings* const settings : {&threads, &memory, &nameless}) {
    const auto done = complete(*settings);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error(), Errc::invalid_argument);
  }
}

TEST(CrawlSettingsTest, HasOneThreadToManyThreads) {
  for (const std::uint32_t threads : {0U, 1U, kThreadsMax, kThreadsMax + 1}) {
    CrawlSettings settings("a.example");
    settings.threads = threads;
    EXPECT_EQ(complete(settings).has_value(), threads == 1 || threads == kThreadsMax) << threads;
  }
}

TEST(CrawlSettingsTest, ASharedCrawlCannotCheckLinks) {
  CrawlSettings settings("a.example");
  settings.job.folder = "node";
  settings.asks_for_leaves = true;
  EXPECT_TRUE(validate_cluster(settings)) << "it is not shared";
  settings.cluster.url = "redis://127.0.0.1/museum";
  EXPECT_FALSE(validate_cluster(settings));
  settings.asks_for_leaves = false;
  EXPECT_TRUE(validate_cluster(settings));
  settings.leaves.emplace_back("http://a.example/x");
  EXPECT_FALSE(validate_cluster(settings));
}

TEST(CrawlSettingsTest, TellsSitesWhomTheyCanAsk) {
  CrawlSettings settings("a.example");
  settings.own_identity.contact = "me@b.example";
  settings = completed(std::move(settings));
  EXPECT_THAT(field_of(settings, "User-Agent"), StartsWith("gossamer/"));
  EXPECT_THAT(field_of(settings, "User-Agent"), testing::EndsWith(" (+me@b.example)"));
  CrawlSettings given("a.example");
  given.own_identity.fields = {{"user-agent", "Other/1.0"}, {"X-One", "1"}};
  given = completed(std::move(given));
  EXPECT_EQ(field_of(given, "User-Agent"), "Other/1.0");
  EXPECT_EQ(field_of(given, "user-agent"), "") << "it is sent once";
}

TEST(CrawlSettingsTest, TopMayRaiseTheConcurrency) {
  const auto connections_with = [](const std::string& socket) {
    CrawlSettings settings("a.example");
    settings.control_socket = socket;
    return completed(std::move(settings)).web.client.pool.connections_max;
  };
  EXPECT_GT(connections_with("socket"), connections_with(""));
}

// A few settings, as the command declares them.
options::CommandTable some_settings() {
  using options::Concern;
  using options::Use;
  options::CommandTable table = {.name = "crawl"};
  table.options = {
      {.names = {"--depth", "--level"}, .key = "depth", .use = Use::single},
      {.key = "limit", .use = Use::single, .concern = Concern::effort},
      {.key = "delay", .use = Use::single, .concern = Concern::effort},
      {.key = "user", .use = Use::single, .is_secret = [](std::string_view) { return true; }},
      {.key = "age", .use = Use::single, .kind = options::Kind::duration},
      {.key = "max-size", .use = Use::single, .kind = options::Kind::size},
      {.key = "exclude", .use = Use::repeated}};
  table.host_options = {table.options[2], table.options[6]};
  return table;
}

// The texts of the differences.
std::vector<std::string> changes_of(std::string_view kept, std::string_view wanted) {
  const auto changes = differences("job.toml", configuration_of({"a.example"}, kept),
                                   configuration_of({"a.example"}, wanted), some_settings());
  std::vector<std::string> texts;
  if (!changes) return {std::string(changes.error().detail())};
  for (const SettingChange& change : *changes) texts.push_back(change.text);
  return texts;
}

TEST(JobSettingsTest, ListsTheDifferences) {
  EXPECT_THAT(changes_of("depth = 3\nlimit = 10\n", "depth = 3\nlimit = 10\n"), IsEmpty());
  EXPECT_THAT(changes_of("depth = 3\nlimit = 10\n", "depth = 3\nlimit = 20\ndelay = 9\n"),
              IsEmpty())
      << "each run has its own limit and pauses";
  EXPECT_THAT(changes_of("depth = 3\n", "depth = 4\nuser = \"x\"\n"),
              ElementsAre("depth was 3 and is now 4", "user is new: (not shown)"));
  EXPECT_THAT(changes_of("level = 3\nexclude = [\"a\"]\n", "depth = 3\n"),
              ElementsAre("exclude was [\"a\"]"));
}

TEST(JobSettingsTest, ListsTheDifferencesOfHosts) {
  EXPECT_THAT(changes_of("[host.\"b.example\"]\ndelay = 1\nexclude = [\"a\"]\n",
                         "exclude = [\"a\"]\n[host.\"b.example\"]\ndelay = 2\n"),
              ElementsAre("[host.\"b.example\"] exclude was [\"a\"]", "exclude is new: [\"a\"]"));
}

TEST(JobSettingsTest, ATimeOrASizeInAnotherUnitIsNoDifference) {
  EXPECT_THAT(changes_of("age = 60\nmax-size = \"1024k\"\n", "age = \"1m\"\nmax-size = \"1M\"\n"),
              IsEmpty());
  EXPECT_THAT(changes_of("age = 60\n", "age = \"2m\"\n"),
              ElementsAre("age was \"1m\" and is now \"2m\""));
}

TEST(JobSettingsTest, SettingsOfOtherVersionsAreCompared) {
  EXPECT_THAT(changes_of("new-password = \"x\"\nnew-depth = 3\n", ""),
              ElementsAre("new-depth was 3", "new-password was (not shown)"));
}

TEST(JobSettingsTest, AnUnreadableConfigurationIsAnError) {
  EXPECT_THAT(changes_of("depth = \n", ""), ElementsAre(StartsWith("job.toml:6: ")));
}

TEST(CrawlSettingsTest, ALoginOfTheProgramIsASession) {
  for (const bool follows : {false, true}) {
    CrawlSettings settings("a.example");
    settings.logins.push_back({.url = "https://a.example/in", .fields = {{"user", "me"}}});
    settings.own_identity.follows_logout = follows;
    EXPECT_EQ(completed(std::move(settings)).avoids_logout, !follows);
  }
}

TEST(CrawlSettingsTest, CrawlsThatShareFieldsDoNotShareTheirRoots) {
  auto fields = CrawlFields::make({});
  ASSERT_TRUE(fields);
  CrawlSettings settings("http://me:word@a.example/");
  settings.fields = std::make_shared<CrawlFields>(std::move(*fields));
  const std::shared_ptr<CrawlFields> shared = settings.fields;
  EXPECT_TRUE(completed(std::move(settings)).fields->has_secrets());
  EXPECT_FALSE(shared->has_secrets());
}

TEST(CrawlSettingsTest, FieldsMustBeInOnePlace) {
  auto fields = CrawlFields::make({});
  ASSERT_TRUE(fields);
  CrawlSettings settings("a.example");
  settings.fields = std::make_shared<CrawlFields>(std::move(*fields));
  settings.own_identity.fields = {{"X-Token", "abc"}};
  EXPECT_FALSE(complete(settings));
}

TEST(CrawlSettingsTest, AreRefusedIfTheyNeedOthersToHaveAnEffect) {
  const auto refusal = [](auto set) {
    CrawlSettings settings("http://a.example/");
    set(settings);
    const auto done = complete(settings);
    return done ? std::string() : std::string(done.error().message());
  };
  EXPECT_THAT(refusal([](CrawlSettings& settings) { settings.job.refreshes = true; }),
              testing::HasSubstr("`refresh` requires a crawl directory"));
  EXPECT_THAT(refusal([](CrawlSettings& settings) { settings.job.older_than = 1h; }),
              testing::HasSubstr("`older-than` requires `refresh`"));
  EXPECT_THAT(refusal([](CrawlSettings& settings) { settings.archive.has_package = true; }),
              testing::HasSubstr("`wacz` requires `warc-file`"));
  EXPECT_THAT(refusal([](CrawlSettings& settings) { settings.builds_index = true; }),
              testing::HasSubstr("`index` requires `job` DIR or `warc-file`"));
  EXPECT_THAT(refusal([](CrawlSettings& settings) { settings.archive.file = "folder/"; }),
              testing::HasSubstr("requires a file name"));
}

}  // namespace
}  // namespace gossamer::run

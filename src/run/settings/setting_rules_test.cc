// Tests what settings require of each other, and what they set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "engine/setup/options.h"
#include "scope/scope_options.h"
#include "settings/check_settings.h"
#include "settings/cluster_arguments.h"
#include "settings/crawl_arguments.h"
#include "settings/crawl_keywords.h"
#include "settings/crawl_settings.h"
#include "settings/root_list.h"

namespace gossamer::settings {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Keywords = std::vector<CrawlKeyword>;

CrawlKeyword on(std::string name) { return {.name = std::move(name), .is_on = true}; }
CrawlKeyword with(std::string name, std::string value) {
  return {.name = std::move(name), .values = {std::move(value)}};
}

run::CrawlSettings crawl_with(const Keywords& keywords) {
  auto settings = crawl_settings_of({"http://a.example/"}, keywords);
  EXPECT_TRUE(settings) << settings.error().detail();
  return settings ? std::move(*settings) : run::CrawlSettings();
}

// Why the settings are rejected; empty: they are not.
std::string fault_of(const Keywords& keywords) {
  const auto settings = crawl_settings_of({"http://a.example/"}, keywords);
  if (settings) return "";
  EXPECT_EQ(settings.error(), Errc::invalid_argument);
  return std::string(settings.error().detail());
}

std::string check_fault_of(std::vector<std::string> sources, const Keywords& keywords) {
  const auto settings = check_settings_of(std::move(sources), keywords);
  return settings ? "" : std::string(settings.error().detail());
}

std::string file_with(const tests::TemporaryFolder& folder, const std::string& name,
                      std::string_view text) {
  const std::string path = folder.path() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

// --- scope

TEST(SettingRules, OnlyOneSettingNamesTheScope) {
  EXPECT_EQ(crawl_with({on("strict")}).scope.kind, crawler::ScopeKind::host);
  EXPECT_EQ(crawl_with({on("lenient")}).scope.kind, crawler::ScopeKind::domain);
  EXPECT_EQ(crawl_with({with("scope", "any")}).scope.kind, crawler::ScopeKind::any);
  constexpr const char* kFault = "use only one of `scope`, `strict` and `lenient`";
  EXPECT_EQ(fault_of({on("strict"), on("lenient")}), kFault);
  EXPECT_EQ(fault_of({on("strict"), with("scope", "host")}), kFault);
  EXPECT_EQ(fault_of({on("lenient"), with("scope", "domain")}), kFault);
}

TEST(SettingRules, ExtensionsAreAListWithoutDots) {
  EXPECT_THAT(crawl_with({with("skip_extensions", "zip,.PDF")}).scope.skipped_extensions,
              ElementsAre("zip", "pdf"));
  EXPECT_THAT(crawl_with({with("skip_extensions", "usual")}).scope.skipped_extensions,
              Contains("zip"));
  for (const std::string list : {"", "zip,", ",zip", ".", "zip,,pdf"}) {
    EXPECT_THAT(fault_of({with("skip_extensions", list)}), HasSubstr("zip,pdf")) << list;
  }
}

TEST(SettingRules, ContentTypesHaveTwoParts) {
  EXPECT_THAT(crawl_with({with("content_type", "Text/HTML")}).content_types,
              ElementsAre("text/html"));
  for (const std::string type : {"html", "/html", "text/", "/"}) {
    EXPECT_THAT(fault_of({with("content_type", type)}), HasSubstr("text/html or image/*")) << type;
  }
}

TEST(SettingRules, EachTrapCanBeSwitchedOff) {
  const run::CrawlSettings all = crawl_with({});
  EXPECT_TRUE(all.traps.calendar);
  EXPECT_TRUE(all.detects_soft_404);
  const run::CrawlSettings some =
      crawl_with({{.name = "no_trap", .values = {"calendar", "soft_404", "domain_hosts"}}});
  EXPECT_FALSE(some.traps.calendar);
  EXPECT_FALSE(some.traps.domain_hosts);
  EXPECT_FALSE(some.detects_soft_404);
  EXPECT_TRUE(some.traps.path_depth);
  EXPECT_NE(fault_of({with("no_trap", "mouse")}), "");
}

TEST(SettingRules, RenderingHasItsSettings) {
  EXPECT_EQ(crawl_with({with("render", "auto")}).renders, crawler::RenderMode::automatic);
  EXPECT_EQ(crawl_with({with("render", "always"), with("wait_for", "h1")}).render_wait_for, "h1");
  constexpr const char* kFault = "`wait-for` and `scroll` require `render`";
  EXPECT_EQ(fault_of({with("wait_for", "h1")}), kFault);
  EXPECT_EQ(fault_of({with("scroll", "2")}), kFault);
  EXPECT_EQ(fault_of({with("scroll", "0")}), "");
}

// --- roots

TEST(SettingRules, RootsComeFromFilesToo) {
  const tests::TemporaryFolder folder;
  const std::string list =
      file_with(folder, "list", "# hosts\n\n http://b.example/ \r\nc.example\n");
  EXPECT_THAT(crawl_with({with("input_file", list)}).roots,
              ElementsAre("http://a.example/", "http://b.example/", "c.example"));
  const std::string bad = file_with(folder, "bad", "http://b.example/\nhtp://c.example/\n");
  EXPECT_THAT(fault_of({with("input_file", bad)}),
              testing::AllOf(HasSubstr("did you mean http://c.example/?"),
                             HasSubstr("(line 2 of " + bad + ")")));
  EXPECT_NE(fault_of({with("input_file", folder.path() + "/none")}), "");
  const auto none = crawl_settings_of({}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().detail(), "no URL given; usage: gossamer crawl URL...");
  EXPECT_TRUE(crawl_settings_of({}, {with("input_file", list)}));
}

TEST(SettingRules, AFileIsNotARoot) {
  const tests::TemporaryFolder folder;
  const std::string list = file_with(folder, "list", "http://b.example/\n");
  const auto typed = parse_typed_url(list);
  ASSERT_FALSE(typed);
  EXPECT_THAT(typed.error().detail(), HasSubstr("is a file: use `input-file` " + list));
  EXPECT_TRUE(parse_typed_url("http://a.example/list"));
  const auto scheme = parse_typed_url("htps://me:word@a.example/");
  ASSERT_FALSE(scheme);
  EXPECT_THAT(scheme.error().detail(), HasSubstr("did you mean https://"));
  EXPECT_THAT(scheme.error().detail(), testing::Not(HasSubstr("word")));
  const auto other = parse_typed_url("mailto://a.example/");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().detail(), testing::Not(HasSubstr("did you mean")));
}

// --- speed and limits

TEST(SettingRules, ARateIsANumberOfRequestsPerSecond) {
  EXPECT_EQ(crawl_with({with("rate", "5")}).global_gap, 200ms);
  EXPECT_EQ(crawl_with({with("rate", "0.5")}).global_gap, 2s);
  EXPECT_EQ(crawl_with({with("rate", "1e-6")}).global_gap, 1'000'000s);
  EXPECT_EQ(crawl_with({with("rate", "1e9")}).global_gap, 1ns);
  for (const std::string rate : {"", "0", "-1", "1e-7", "2e9", "5/s", "nan", "fast"}) {
    EXPECT_THAT(fault_of({with("rate", rate)}), HasSubstr("expected requests per second")) << rate;
  }
}

TEST(SettingRules, OneTimeoutSetsAllWaits) {
  const run::CrawlSettings one = crawl_with({with("timeout", "7s")});
  EXPECT_EQ(one.web.connect.resolve_timeout, 7s);
  EXPECT_EQ(one.web.connect.connect_timeout, 7s);
  EXPECT_EQ(one.web.client.deadlines.first_byte, 7s);
  EXPECT_EQ(one.web.client.deadlines.idle, 7s);
  const run::CrawlSettings read = crawl_with({with("read_timeout", "9s")});
  EXPECT_EQ(read.web.client.deadlines.idle, 9s);
  EXPECT_NE(read.web.connect.connect_timeout, 9s);
  EXPECT_NE(fault_of({with("timeout", "soon")}), "");
}

TEST(SettingRules, WithoutRobotsNothingIsObeyed) {
  const run::CrawlSettings none = crawl_with({on("no_robots")});
  EXPECT_FALSE(none.obeys_robots);
  EXPECT_FALSE(none.obeys_nofollow);
  const run::CrawlSettings follow = crawl_with({on("follow_nofollow")});
  EXPECT_TRUE(follow.obeys_robots);
  EXPECT_FALSE(follow.obeys_nofollow);
}

// --- network and identity

TEST(SettingRules, AnAddressCanBeGivenForAHost) {
  const auto addresses = [](const std::string& text) {
    return crawl_with({with("resolve", text)}).web.client.addresses;
  };
  EXPECT_EQ(addresses("A.example:443:192.0.2.1").at("a.example:443").size(), 1u);
  EXPECT_EQ(addresses("a.example:80:192.0.2.1,192.0.2.2").at("a.example:80").size(), 2u);
  EXPECT_EQ(addresses("[::1]:80:[::2]").size(), 1u);
  EXPECT_EQ(addresses("a.example:65535:192.0.2.1").size(), 1u);
  for (const std::string text :
       {"a.example", "a.example:443", "a.example:x:192.0.2.1", "a.example:65536:192.0.2.1",
        "*.example:80:192.0.2.1", "a.example:80:", "a.example:80:b.example",
        "a.example:80:192.0.2.1,", ":80:192.0.2.1"}) {
    EXPECT_THAT(fault_of({with("resolve", text)}), HasSubstr("expected HOST:PORT:ADDRESS")) << text;
  }
}

TEST(SettingRules, AHeaderHasANameAndAValue) {
  const run::CrawlSettings settings = crawl_with({with("header", "X-One: \t two: three")});
  ASSERT_TRUE(settings.fields);
  for (const std::string line : {"no colon", ": value", ""}) {
    EXPECT_THAT(fault_of({with("header", line)}), HasSubstr("expected 'Name: value'")) << line;
  }
}

TEST(SettingRules, AProxyOfTheEnvironmentIsUsedUnlessAnotherIsGiven) {
  ::setenv("http_proxy", "http://10.0.0.9:3128", 1);
  EXPECT_FALSE(crawl_with({}).web.client.proxies.hosts().empty());
  EXPECT_TRUE(crawl_with({on("no_proxy")}).web.client.proxies.hosts().empty());
  EXPECT_THAT(crawl_with({with("proxy", "10.0.0.8:1")}).web.client.proxies.hosts(),
              Contains("10.0.0.8"));
  ::setenv("http_proxy", "gopher://[", 1);
  EXPECT_FALSE(crawl_settings_of({"http://a.example/"}, {}));
  ::unsetenv("http_proxy");
  EXPECT_TRUE(crawl_with({}).web.client.proxies.hosts().empty());
  EXPECT_NE(fault_of({with("proxy", "gopher://[")}), "");
}

TEST(SettingRules, KeysOfTlsAreLoggedIfTheEnvironmentSaysSo) {
  EXPECT_EQ(crawl_with({}).web.tls.key_log_file, "");
  ::setenv("SSLKEYLOGFILE", "/tmp/keys", 1);
  EXPECT_EQ(crawl_with({}).web.tls.key_log_file, "/tmp/keys");
  ::unsetenv("SSLKEYLOGFILE");
}

TEST(SettingRules, ALoginNeedsAPageAndFields) {
  EXPECT_EQ(fault_of({with("login_field", "user=me")}), "a login requires `login-url` URL");
  EXPECT_EQ(fault_of({with("login_check", "welcome")}), "a login requires `login-url` URL");
  EXPECT_EQ(fault_of({with("login_url", "http://a.example/in")}),
            "a login requires fields: `login-field` NAME=VALUE");
  for (const std::string pair : {"user", "=me"}) {
    EXPECT_THAT(fault_of({with("login_field", pair)}), HasSubstr("expected NAME=VALUE")) << pair;
  }
  const run::CrawlSettings settings =
      crawl_with({with("login_url", "http://a.example/in"), with("login_field", "user=a=b"),
                  with("login_check", "welcome")});
  ASSERT_EQ(settings.logins.size(), 1u);
  EXPECT_EQ(settings.logins.front().check, "welcome");
  EXPECT_EQ(settings.logins.front().fields.front(),
            (std::pair<std::string, std::string>("user", "a=b")));
  EXPECT_TRUE(settings.avoids_logout) << "a link must not end the session";
  EXPECT_FALSE(crawl_with({with("login_url", "http://a.example/in"), with("login_field", "user=me"),
                           on("follow_logout")})
                   .avoids_logout);
  EXPECT_FALSE(crawl_with({}).avoids_logout);
}

TEST(SettingRules, APasswordNeedsAUser) {
  EXPECT_EQ(fault_of({with("password_env", "GOSSAMER_TEST_NONE")}),
            "a password requires a user name: `user` NAME");
  EXPECT_EQ(fault_of({with("user", "me"), with("password_env", "GOSSAMER_TEST_NONE")}),
            "environment variable GOSSAMER_TEST_NONE is not set");
  EXPECT_EQ(fault_of({with("user", "me:wo\nrd")}),
            "the user or password contains a control character");
}

TEST(SettingRules, FilesOfTheUserMustBeReadable) {
  const tests::TemporaryFolder folder;
  for (const std::string name : {"load_cookies", "netrc_file"}) {
    EXPECT_THAT(fault_of({with(name, folder.path() + "/none")}), HasSubstr(folder.path())) << name;
  }
  EXPECT_THAT(fault_of({with("netrc_file", folder.path())}), HasSubstr("cannot read"));
  const std::string bad = file_with(folder, "netrc", "machine\n");
  EXPECT_THAT(fault_of({with("netrc_file", bad)}), HasSubstr(bad + ": "));
  const std::string cookies = file_with(folder, "cookies", "");
  EXPECT_TRUE(crawl_with({with("load_cookies", cookies)}).avoids_logout) << "they are a session";
}

// --- contents and output

TEST(SettingRules, RulesForFieldsAreSelectors) {
  EXPECT_THAT(crawl_with({with("extract", "title=h1")}).extract, ElementsAre("title=h1"));
  for (const std::string rules : {"title=", "=h1", "title=[", ""}) {
    EXPECT_NE(fault_of({with("extract", rules)}), "") << rules;
  }
  EXPECT_EQ(crawl_with({with("extract", "title=h1"), with("items", ".card")}).items, ".card");
  EXPECT_EQ(fault_of({with("items", ".card")}), "`items` requires `extract`");
  EXPECT_NE(fault_of({with("extract", "title=h1"), with("items", "[")}), "");
}

TEST(SettingRules, AFileCanHaveTheRules) {
  const tests::TemporaryFolder folder;
  const std::string good =
      file_with(folder, "rules", "[extract]\ntitle = \"h1\"\ntags = [\".tag\"]\n");
  EXPECT_THAT(crawl_with({with("extract_file", good)}).extract,
              ElementsAre("title=h1", "tags[]=.tag"));
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"[extract]\ntitle = \"[\"\n", ":2: "},
      {"[extract]\ntitle = [\"h1\", \"h2\"]\n", ":2: title: expected one selector"},
      {"[extract]\ntitle = \"h1; other=h2\"\n", ":2: title: expected one selector"},
      {"[host.\"a.example\"]\ntitle = \"h1\"\n", ":2: "},
      {"title = \n", ""},
      {std::string(2'000'000, '#'), ": this file is too long"}};
  for (const auto& [text, fault] : faults) {
    const std::string path = file_with(folder, "bad", text);
    EXPECT_THAT(fault_of({with("extract_file", path)}), HasSubstr(path + fault))
        << text.substr(0, 50);
  }
  EXPECT_NE(fault_of({with("extract_file", folder.path() + "/none")}), "");
}

TEST(SettingRules, AContentIsTextOrMarkdown) {
  EXPECT_TRUE(crawl_with({with("content", "text")}).keeps_text);
  EXPECT_FALSE(crawl_with({with("content", "text")}).keeps_markdown);
  EXPECT_TRUE(crawl_with({with("content", "markdown")}).keeps_markdown);
  EXPECT_NE(fault_of({with("content", "pictures")}), "");
}

// --- archive, crawl directory, shared crawl

TEST(SettingRules, ArchivesHaveAName) {
  EXPECT_EQ(crawl_with({with("warc_file", "museum.warc.gz")}).archive.file, "museum");
  EXPECT_EQ(crawl_with({with("warc_file", "museum.warc")}).archive.file, "museum");
  EXPECT_TRUE(crawl_with({with("warc_file", "museum")}).keeps_captures);
  EXPECT_FALSE(crawl_with({}).keeps_captures);
  for (const std::string name : {"folder/", ".warc.gz"}) {
    EXPECT_THAT(fault_of({with("warc_file", name)}), HasSubstr("requires a file name")) << name;
  }
  for (const std::string name : {"warc-cdx", "warc-dedup", "warc-metadata", "wacz"}) {
    std::string keyword = name;
    std::ranges::replace(keyword, '-', '_');
    EXPECT_EQ(fault_of({on(keyword)}), "`" + name + "` requires `warc-file` NAME");
    EXPECT_EQ(fault_of({on(keyword), with("warc_file", "museum")}), "");
  }
  EXPECT_EQ(fault_of({with("warc_header", "operator: me")}),
            "`warc-header` requires `warc-file` NAME");
  EXPECT_EQ(fault_of({on("index")}), "`index` requires `job` DIR or `warc-file` NAME");
  EXPECT_TRUE(crawl_with({with("warc_file", "m"), on("warc_metadata")}).keeps_outlinks);
  EXPECT_FALSE(crawl_with({with("warc_file", "m")}).keeps_outlinks);
}

TEST(SettingRules, AFieldOfAnArchiveHasANameAndAText) {
  const run::CrawlSettings settings =
      crawl_with({with("warc_file", "m"), with("warc_header", "operator:  My Library ")});
  ASSERT_EQ(settings.archive.about.size(), 1u);
  EXPECT_EQ(settings.archive.about.front().name, "operator");
  EXPECT_EQ(settings.archive.about.front().value, "My Library");
  for (const std::string line : {"operator", "my operator: x", ": x"}) {
    EXPECT_THAT(fault_of({with("warc_file", "m"), with("warc_header", line)}),
                HasSubstr("expected a line such as"))
        << line;
  }
}

TEST(SettingRules, ACrawlDirectoryHasAnArchive) {
  const run::CrawlSettings with_archive = crawl_with({with("job", "museum//")});
  EXPECT_EQ(with_archive.job.folder, "museum");
  EXPECT_EQ(with_archive.archive.file, "museum/archive/crawl");
  EXPECT_TRUE(with_archive.keeps_validators);
  EXPECT_EQ(crawl_with({with("job", "museum"), with("archive", "none")}).archive.file, "");
  EXPECT_EQ(crawl_with({with("job", "museum"), with("warc_file", "x")}).archive.file, "x");
  EXPECT_EQ(crawl_with({with("job", "/")}).job.folder, "/");
}

TEST(SettingRules, WhatIsOfACrawlDirectoryNeedsOne) {
  EXPECT_EQ(fault_of({on("refresh")}), "`refresh` requires a crawl directory; add `job` DIR");
  EXPECT_EQ(fault_of({on("change_settings")}),
            "`change-settings` requires a crawl directory; add `job` DIR");
  EXPECT_EQ(fault_of({with("job", "m"), with("older_than", "1h")}),
            "`older-than` requires `refresh`");
  EXPECT_EQ(fault_of({with("job", "m"), on("refresh"), with("older_than", "1h")}), "");
  EXPECT_NE(fault_of({with("memory", "7M")}), "");
  EXPECT_EQ(fault_of({with("memory", "8M")}), "");
}

TEST(SettingRules, TheConfigurationHasWhatTheUserSaid) {
  const run::CrawlSettings settings =
      crawl_with({with("job", "m"), with("depth", "3"), with("extract", "title=h1"),
                  with("concurrency", "7"), with("delay", "2s")});
  const std::string& stored = settings.job.configuration;
  EXPECT_THAT(stored, HasSubstr("url = [\"http://a.example/\"]\n"));
  EXPECT_THAT(stored, HasSubstr("extract = [\"title=h1\"]\n"));
  EXPECT_THAT(stored, HasSubstr("depth = 3\n"));
  EXPECT_THAT(stored, HasSubstr("concurrency = 7\n"));
  EXPECT_THAT(stored, testing::Not(HasSubstr("job = ")));
  const std::string& agreed = settings.cluster.agreed;
  EXPECT_THAT(agreed, HasSubstr("depth = 3\n"));
  EXPECT_THAT(agreed, testing::Not(HasSubstr("concurrency")))
      << "nodes may differ in what belongs to their machine";
}

TEST(SettingRules, ASharedCrawlHasLimits) {
  const CrawlKeyword shared = with("cluster", "redis://10.0.0.1:6379/m");
  const CrawlKeyword job = with("job", "m");
  EXPECT_EQ(fault_of({shared, job}), "");
  EXPECT_THAT(fault_of({shared}), HasSubstr("needs its own crawl directory; add `job` DIR"));
  EXPECT_NE(fault_of({with("cluster", "http://10.0.0.1/"), job}), "");
  for (const std::string lease : {"2s", "61m"}) {
    EXPECT_EQ(fault_of({shared, job, with("cluster_lease", lease)}),
              "`cluster-lease` must be from 3s to 1h");
  }
  for (const std::string lease : {"3s", "1h"}) {
    EXPECT_EQ(fault_of({shared, job, with("cluster_lease", lease)}), "");
  }
  EXPECT_EQ(fault_of({shared, job, on("refresh")}), "`refresh` is not possible with `cluster`");
  EXPECT_TRUE(crawl_with({shared, job}).job.is_provisional);
  EXPECT_FALSE(crawl_with({job}).job.is_provisional);
}

TEST(SettingRules, ThePasswordOfRedisComesFromAFileOrTheEnvironment) {
  const tests::TemporaryFolder folder;
  const CrawlKeyword shared = with("cluster", "redis://10.0.0.1:6379/m");
  const std::string file = file_with(folder, "password", "word\r\n");
  EXPECT_EQ(fault_of({with("cluster_password_file", file)}),
            "`cluster-password-file` requires `cluster`");
  EXPECT_EQ(
      crawl_with({shared, with("job", "m"), with("cluster_password_file", file)}).cluster.password,
      "word");
  for (const std::string& text : {std::string("\n"), std::string(5000, 'x')}) {
    const auto none = read_redis_password(file_with(folder, "bad", text));
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().detail(), HasSubstr("contains no password"));
  }
  EXPECT_EQ(read_redis_password(file_with(folder, "long", std::string(4096, 'x')))->size(), 4096u);
  EXPECT_FALSE(read_redis_password(folder.path()));
  EXPECT_FALSE(read_redis_password(folder.path() + "/none"));
  ::setenv(kRedisPasswordVariable, "other", 1);
  EXPECT_EQ(read_redis_password("").value_or("none"), "other");
  ::unsetenv(kRedisPasswordVariable);
  EXPECT_EQ(read_redis_password("").value_or("none"), "");
}

// --- checks

TEST(SettingRules, SourcesOfACheckAreUrlsAndFiles) {
  const tests::TemporaryFolder folder;
  const std::string page = file_with(folder, "page.html", "<p>");
  const auto settings = check_settings_of({"http://me:word@a.example/x@y", page, "-"}, {});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_THAT(settings->crawl.roots, ElementsAre("http://me:word@a.example/x@y"));
  EXPECT_THAT(settings->files, ElementsAre(page, "-"));
  EXPECT_THAT(settings->sources, ElementsAre("http://a.example/x@y", page, "-"))
      << "the result shows them";
  EXPECT_TRUE(settings->crawl.asks_for_leaves);
  EXPECT_FALSE(settings->crawl.keeps_metadata);
  for (const std::string missing : {"/none/x", "./none", "docs/none", "none.html", "README.md"}) {
    EXPECT_THAT(check_fault_of({missing}, {}), HasSubstr(missing + " does not exist")) << missing;
  }
  for (const std::string host : {"a.example", "a.example/page", "localhost/x", "a:80/x"}) {
    EXPECT_EQ(check_fault_of({host}, {}), "") << host;
  }
  EXPECT_EQ(check_fault_of({}, {}), "nothing to check; usage: gossamer check URL|FILE...");
}

TEST(SettingRules, FaultsOfPagesNeedASite) {
  const tests::TemporaryFolder folder;
  const std::string page = file_with(folder, "page.html", "<p>");
  EXPECT_EQ(check_fault_of({page}, {on("seo")}), "`seo` requires the URL of a site");
  const auto settings = check_settings_of({"a.example"}, {on("seo")});
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->crawl.keeps_metadata);
}

TEST(SettingRules, FilesOfACheckHaveARoot) {
  const tests::TemporaryFolder folder;
  const std::string page = file_with(folder, "page.html", "<p>");
  const auto settings = check_settings_of(
      {page}, {with("root_dir", folder.path()), with("base_url", "http://b.example/x")});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_TRUE(settings->file_rules.root);
  EXPECT_TRUE(settings->file_rules.base_url);
  EXPECT_THAT(check_fault_of({page}, {with("root_dir", folder.path() + "/none")}),
              HasSubstr("does not exist"));
  EXPECT_NE(check_fault_of({page}, {with("base_url", "ftp://b.example/")}), "");
  EXPECT_NE(check_fault_of({page}, {with("accept", "many")}), "");
  EXPECT_NE(check_fault_of({page}, {with("remap", "(")}), "");
}

}  // namespace
}  // namespace gossamer::settings

// Tests `gossamer check` on sites and files with known faults.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::support {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

struct Checked {
  int exit_code = -1;
  std::string out;
  std::string err;
  Json json = {};
};

Checked check(std::vector<std::string> words, const std::string& folder = {},
              const std::string& input = {}) {
  words.insert(words.begin(), "check");
  CommandRun run(std::move(words), {.input = input}, {.folder = folder});
  Checked checked;
  checked.exit_code = run.wait();
  checked.out = run.out();
  checked.err = run.err();
  if (checked.out.starts_with("{")) checked.json = Json::parse(checked.out, nullptr, false);
  return checked;
}

// "broken 404 URL | PAGE:LINE:COLUMN text", one per place; the base of URLs is left out.
std::vector<std::string> told(const Json& json, const std::string& base = {}) {
  const auto shortened = [&base](std::string text) {
    return !base.empty() && text.starts_with(base) ? text.substr(base.size()) : text;
  };
  std::vector<std::string> lines;
  for (const Json& finding : json["findings"]) {
    const std::string head = finding["kind"].get<std::string>() + " " +
                             finding["cause"].get<std::string>() + " " + shortened(finding["url"]);
    for (const Json& place : finding["places"]) {
      lines.push_back(head + " | " + shortened(place["page"]) + ":" +
                      std::to_string(place["line"].get<int>()) + ":" +
                      std::to_string(place["column"].get<int>()) + " " +
                      place["text"].get<std::string>());
    }
    if (finding["places"].empty()) lines.push_back(head);
  }
  return lines;
}

class CheckCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_installed("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  }

  void start(const std::string& certificate = "-") {
    site_port_ = free_port();
    other_port_ = free_port();
    tls_port_ = free_port();
    server_.emplace(
        std::vector<std::string>{"/usr/bin/python3",
                                 support::source_path("tests/end_to_end/faulty_site.py"), log(),
                                 std::to_string(site_port_), std::to_string(other_port_),
                                 std::to_string(tls_port_), certificate},
        folder_.file("server.log"));
    ASSERT_TRUE(server_->wait_until_listening(site_port_));
    ASSERT_TRUE(server_->wait_until_listening(other_port_));
    if (certificate != "-") ASSERT_TRUE(server_->wait_until_listening(tls_port_));
  }

  std::string log() const { return folder_.file("requests.log"); }
  // "GET /x" of a port, sorted.
  std::multiset<std::string> asked(std::uint16_t port) const {
    std::multiset<std::string> all;
    const std::string begin = std::to_string(port) + " ";
    for (const std::string& line : lines_of(file_content(log()))) {
      if (line.starts_with(begin)) all.insert(line.substr(begin.size()));
    }
    return all;
  }
  std::string site(const std::string& path = "/") const {
    return "http://127.0.0.1:" + std::to_string(site_port_) + path;
  }
  std::string other(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(other_port_) + path;
  }

  // Where nobody listens as long as there is no certificate.
  std::string nobody() const { return "http://127.0.0.1:" + std::to_string(tls_port_) + "/"; }

  TestFolder folder_;
  std::uint16_t site_port_ = 0;
  std::uint16_t other_port_ = 0;
  std::uint16_t tls_port_ = 0;
  std::optional<Program> server_;
};

TEST_F(CheckCommandTest, FindsEveryFaultOfASiteAndInventsNone) {
  start();
  const Checked checked = check({site(), "--format", "json", "-t", "1", "--exclude", "/excluded/"});
  EXPECT_EQ(checked.exit_code, 2) << checked.err;
  ASSERT_TRUE(checked.json.is_object()) << checked.out;
  EXPECT_THAT(
      told(checked.json, site("")),
      UnorderedElementsAre(
          "broken 404 /missing | /:3:38 The missing page", "broken 404 /missing | /fine:3:11 again",
          "broken 404 /no.png | /:7:11 ", "broken 404 /no-bg.png | /style.css:2:21 ",
          "broken 404 " + other("/gone") + " | /:9:10 Gone elsewhere",
          "broken 418 " + other("/teapot") + " | /:12:10 Teapot",
          "broken 404 " + other("/chain") + " | /:13:10 Chain to nothing",
          "broken refused " + nobody() + " | /:15:10 Nobody",
          "broken bad_scheme htp://typo.example/ | /:17:48 Typo",
          "broken redirect_loop /loop | /:18:45 Loop", "broken bad_url http://[ | /:19:41 No URL",
          "broken 404 /missing-2?a=%3Cb%3E&c=%22|` | /hostile:1:1 \x1B[31mred",
          "broken 404 /missing-3 | /hostile:2:9 <script>alert(1)</script> | `x` ]]> "
          "\xE2\x80\xAErtl",
          "fragment no_such_id /fine#gone | /:5:40 Gone place",
          "fragment no_such_id /#not-own | /:6:17 Not own", "redirect 301 /moved | /:4:10 Moved",
          "unchecked robots " + other("/private/x") + " | /:11:10 Robots",
          "unchecked scheme irc://chat.example/ | /:17:10 Irc",
          "unchecked excluded /excluded/x | /:18:10 Excluded"));
  EXPECT_EQ(checked.json["counts"]["broken"], 12);
  EXPECT_EQ(checked.json["pages"], 4);
}

TEST_F(CheckCommandTest, AsksOtherSitesPolitelyAndGoesNoFurther) {
  start();
  check({site(), "-t", "1"});
  EXPECT_THAT(asked(other_port_),
              UnorderedElementsAre("GET /robots.txt", "HEAD /ok", "HEAD /gone", "GET /gone",
                                   "HEAD /no-head", "GET /no-head", "HEAD /teapot", "GET /teapot",
                                   "HEAD /chain"));
  const auto own = asked(site_port_);
  EXPECT_EQ(own.count("HEAD /yes.png"), 1u);
  EXPECT_EQ(own.count("GET /yes.png"), 0u);
  EXPECT_EQ(own.count("GET /fine"), 1u);
}

TEST_F(CheckCommandTest, LooksForPlacesOnOtherSitesIfAsked) {
  start();
  const Checked checked = check({site(), "--format", "json", "-t", "1", "--fragments", "all"});
  EXPECT_THAT(told(checked.json, site("")),
              testing::Contains("fragment no_such_id " + other("/ok#unread") +
                                " | /:14:10 Place elsewhere"));
  EXPECT_EQ(asked(other_port_).count("GET /ok"), 1u);
  EXPECT_EQ(asked(other_port_).count("GET /never-asked-for"), 0u);
  const Checked none = check({site(), "--format", "json", "-t", "1", "--fragments", "none"});
  EXPECT_EQ(none.json["counts"]["fragment"], 0);
}

TEST_F(CheckCommandTest, AsksNothingTwiceThatItsCacheKnows) {
  start();
  const std::string page =
      folder_.write("links.md", "[a](" + other("/ok") + ") [b](" + other("/gone") + ") [c](" +
                                    other("/chain") + ")");
  const std::vector<std::string> words = {
      page, "--format", "json", "--allow-private", "--cache", folder_.file("answers")};
  const Checked first = check(words);
  EXPECT_EQ(first.exit_code, 2) << first.err;
  EXPECT_EQ(first.json["from_cache"], 0);
  const std::string heard = file_content(log());
  EXPECT_THAT(heard, HasSubstr("/ok"));
  const Checked second = check(words);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(file_content(log()), heard) << "not even robots.txt";
  EXPECT_EQ(second.json["findings"], first.json["findings"]);
  EXPECT_GT(second.json["from_cache"], 0);
  std::vector<std::string> impatient = words;
  impatient.insert(impatient.end(), {"--max-cache-age", "0"});
  check(impatient);
  EXPECT_GT(file_content(log()).size(), heard.size()) << "old results are checked again";
}

TEST_F(CheckCommandTest, PassesOverBadLinesOfItsCacheWithAWord) {
  start();
  const std::string page = folder_.write("links.md", "[a](" + other("/ok") + ")");
  const std::string cache = folder_.write("answers", "nonsense\n");
  const Checked checked = check({page, "--allow-private", "--cache", cache});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(checked.err, HasSubstr("ignored 1 line"));
  EXPECT_THAT(file_content(cache), HasSubstr(other("/ok")));
  EXPECT_THAT(file_content(cache), Not(HasSubstr("nonsense")));
}

TEST_F(CheckCommandTest, SaysWhatIsInsecureOnAPageThatIsSecure) {
  if (!is_installed("/usr/bin/openssl")) GTEST_SKIP() << "openssl is not installed";
  const std::string key = folder_.file("key.pem");
  const std::string certificate = folder_.file("certificate.pem");
  const std::string command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
      "-nodes -days 2 -subj /CN=127.0.0.1 -addext "
      "subjectAltName=IP:127.0.0.1 -keyout " +
      key + " -out " + certificate + " 2>/dev/null && cat " + key + " >> " + certificate;
  ASSERT_EQ(std::system(command.c_str()), 0);
  start(certificate);
  const std::string url = "https://127.0.0.1:" + std::to_string(tls_port_) + "/";
  const Checked checked = check({url, "--format", "json", "--cacert", certificate});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_THAT(
      told(checked.json),
      UnorderedElementsAre("mixed http " + other("/i.png") + " | " + url + ":2:10 ",
                           "insecure http " + other("/ok") + " | " + url + ":3:9 Insecure"));
  EXPECT_EQ(check({url, "--cacert", certificate, "--fail-on-warnings"}).exit_code, 2);
  const Checked excluded = check({url, "--cacert", certificate, "--fail-on-warnings", "--exclude",
                                  "^http://", "--format", "json"});
  EXPECT_EQ(excluded.exit_code, 0) << excluded.out;
  EXPECT_EQ(excluded.json["counts"]["insecure"], 0);
}

TEST_F(CheckCommandTest, HasExitCodesThatPeopleKnow) {
  start();
  EXPECT_EQ(check({site("/style.css"), "--no-external", "--scope", "page"}).exit_code, 2);
  EXPECT_EQ(check({site("/fine"), "--scope", "page", "--exclude", "missing"}).exit_code, 0);
  EXPECT_EQ(check({site("/fine"), "--scope", "page", "--max-broken", "1"}).exit_code, 0);
  EXPECT_EQ(check({site("/fine"), "--scope", "page", "--accept", "200,404"}).exit_code, 0);
  const Checked forbidden = check({other("/private/x"), "--no-progress"});
  EXPECT_EQ(forbidden.exit_code, 1) << "nothing was checked";
  EXPECT_THAT(forbidden.out, HasSubstr("unchecked [robots] " + other("/private/x")));
  EXPECT_EQ(check({"--no-such-option"}).exit_code, 1);
  EXPECT_EQ(check({}).exit_code, 1);
  EXPECT_EQ(check({folder_.file("missing.md")}).exit_code, 1);
  const std::string config = folder_.write("bad.toml", "[check]\nmax-broken = \"many\"\n");
  EXPECT_EQ(check({site(), "--config", config}).exit_code, 3);
  EXPECT_EQ(check({site(), "--config", folder_.write("b.toml", "[check]\nx = 1\n")}).exit_code, 3);
}

TEST_F(CheckCommandTest, DoesNotFailForLinksThatAreBlocked) {
  start();
  const std::string page =
      folder_.write("links.md", "<" + other("/members") + "> <" + other("/busy") + ">");
  const std::vector<std::string> words = {page, "--format", "json", "--allow-private", "-t", "1"};
  const Checked checked = check(words);
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_EQ(checked.json["counts"]["broken"], 0);
  EXPECT_EQ(checked.json["counts"]["blocked"], 2);
  EXPECT_EQ(check({other("/members")}).exit_code, 1) << "nothing was checked";
}

TEST_F(CheckCommandTest, FailsOnlyForNewFaultsIfEnabled) {
  const std::string page = folder_.write("page.md", "[a](old.md)\n");
  const std::string result = folder_.file("links.json");
  const std::vector<std::string> words = {page,   "--format",   "json", "-o",
                                          result, "--baseline", result, "--fail-on-new"};
  const Checked first = check(words);
  EXPECT_EQ(first.exit_code, 2) << "every fault of the first check is new";
  EXPECT_THAT(first.err, HasSubstr("does not exist yet"));
  folder_.write("page.md", "A new line.\n\n[a](old.md)\n");
  EXPECT_EQ(check(words).exit_code, 0);
  folder_.write("page.md", "[a](old.md) [b](new.md)\n");
  const Checked later = check(words);
  EXPECT_EQ(later.exit_code, 2);
  EXPECT_THAT(later.err, HasSubstr("2 broken, of which 1 is new"));
  EXPECT_EQ(check({page, "--fail-on-new"}).exit_code, 1);
  EXPECT_EQ(check({page, "--baseline", page}).exit_code, 1) << "it is not JSON";
  EXPECT_EQ(check({page, "--baseline", "/"}).exit_code, 1) << "a folder cannot be read";
}

TEST_F(CheckCommandTest, ReadsItsTableOfTheConfiguration) {
  start();
  const std::string config = folder_.write(
      "check.toml", "[check]\nsource = [\"" + site("/fine") +
                        "\"]\nscope = \"page\"\nexclude = ['/missing$']\n[crawl]\ndepth = 1\n");
  const Checked checked = check({"--config", config, "--format", "json"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(checked.json["counts"]["unchecked"], 1);
}

TEST_F(CheckCommandTest, WritesXmlThatOthersCanRead) {
  start();
  const std::string file = folder_.file("links.xml");
  check({site(), "-t", "1", "--format", "junit", "-o", file});
  const std::string program =
      "import sys, xml.etree.ElementTree as E\n"
      "suite = E.parse(sys.argv[1]).getroot().find('testsuite')\n"
      "cases = suite.findall('testcase')\n"
      "assert int(suite.get('tests')) == len(cases), len(cases)\n"
      "failures = [c for c in cases if c.find('failure') is not None]\n"
      "assert int(suite.get('failures')) == len(failures) == 15, len(failures)\n"
      "texts = ''.join(c.find('failure').text for c in failures)\n"
      "assert '<script>alert(1)</script>' in texts, texts\n"
      "assert '\\x1b' not in texts and '\\u202e' not in texts\n";
  const std::string script = folder_.write("read.py", program);
  EXPECT_EQ(std::system(("python3 " + script + " " + file).c_str()), 0) << file_content(file);
}

TEST_F(CheckCommandTest, LetsNoTextOfAStrangerThrough) {
  start();
  const Checked text = check({site("/hostile"), "--scope", "page"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.out, HasSubstr("\\x1b[31mred"));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1B")));
  EXPECT_THAT(text.out, Not(HasSubstr("\xE2\x80\xAE")));
  const Checked markdown = check({site("/hostile"), "--scope", "page", "--format", "markdown"});
  EXPECT_THAT(markdown.out, HasSubstr("### Broken links"));
  EXPECT_THAT(markdown.out, Not(HasSubstr("\x1B")));
  EXPECT_THAT(markdown.out, HasSubstr("%7C"));
}

TEST_F(CheckCommandTest, ChecksAFolderOfFiles) {
  start();
  std::filesystem::create_directories(folder_.path() / "docs/sub/.hidden");
  std::filesystem::create_directories(folder_.path() / "docs/folder");
  folder_.write("docs/index.md",
                "# Title\n\n[good](other.html) [place](other.html#here) [gone](other.html#gone)\n"
                "[none](nowhere.md) [own](#title) [not own](#titel) ![pic](pic.png)\n\n"
                "    [code](not-a-link)\n\n`[code](neither)`\n\n[ref][r] [root](/x)\n"
                "[folder](folder) [with place](folder/#in-readme) [bad](folder/#not-there)\n\n"
                "[r]: sub/missing%20file.md\n[web]: " +
                    other("/gone") + "\n");
  folder_.write("docs/other.html",
                "<p id=here>\n<a href=\"sub/deep.md#a-heading\">deep</a>\n"
                "<a href='two words.txt'>two</a>");
  folder_.write("docs/two words.txt", "x");
  folder_.write("docs/sub/deep.md", "A heading\n=========\n[up](../index.md)\n");
  folder_.write("docs/sub/.hidden/x.md", "[never](looked-at)");
  folder_.write("docs/folder/README.md", "## In README\n");
  const Checked checked =
      check({"docs", "--format", "json", "--allow-private"}, folder_.path().string());
  EXPECT_EQ(checked.exit_code, 2) << checked.err;
  EXPECT_THAT(
      told(checked.json),
      UnorderedElementsAre("broken no_file docs/nowhere.md | docs/index.md:4:8 none",
                           "broken no_file docs/pic.png | docs/index.md:4:59 pic",
                           "broken no_file docs/sub/missing file.md | docs/index.md:10:1 ref",
                           "broken 404 " + other("/gone") + " | docs/index.md:14:8 ",
                           "fragment no_such_id docs/other.html#gone | docs/index.md:3:52 gone",
                           "fragment no_such_id docs/index.md#titel | docs/index.md:4:44 not own",
                           "fragment no_such_id docs/folder/#not-there | docs/index.md:11:56 bad",
                           "unchecked root_relative /x | docs/index.md:10:17 root"));
}

// What is read from them would never come.
TEST_F(CheckCommandTest, LooksForNoPlacesInPipes) {
  ASSERT_EQ(mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  folder_.write("page.md", "[pipe](pipe#a)\n");
  const Checked checked = check({"page.md", "--format", "json"}, folder_.path().string());
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST_F(CheckCommandTest, FindsTextsThatLinksQuoteInFiles) {
  std::filesystem::create_directories(folder_.path() / "docs");
  std::filesystem::create_directories(folder_.path() / "folder");
  folder_.write("docs/a.html",
                "<p>One two <a href='#:~:text=one%20two'>x</a>\n"
                "<a href='#:~:text=two%20one'>own</a>\n"
                "<a href='z.html#:~:text=three'>x</a> <a href='z.html#:~:text=four'>z</a>\n"
                "<a href='../out.html#:~:text=five'>x</a> <a href='../out.html#:~:text=6'>out</a>\n"
                "<a href='../folder/#:~:text=seven'>x</a> <a href='../folder/#:~:text=8'>in</a>");
  folder_.write("docs/z.html", "<p>Three <a href='a.html#:~:text=one'>x</a>");
  folder_.write("out.html", "<p>Five");
  folder_.write("folder/index.html", "<p>Seven");
  const Checked files = check({"docs", "--format", "json"}, folder_.path().string());
  EXPECT_THAT(
      told(files.json),
      UnorderedElementsAre("text no_such_text docs/a.html#:~:text=two%20one | docs/a.html:2:10 own",
                           "text no_such_text docs/z.html#:~:text=four | docs/a.html:3:47 z",
                           "text no_such_text out.html#:~:text=6 | docs/a.html:4:51 out",
                           "text no_such_text folder/#:~:text=8 | docs/a.html:5:51 in"));
  const Checked input = check({"-", "--format", "json"}, folder_.path().string(),
                              "<!doctype html><a href='#:~:text=here'>Here</a> "
                              "<a href='#:~:text=not'>x</a>");
  EXPECT_THAT(told(input.json), ElementsAre("text no_such_text -#:~:text=not | -:1:58 x"));
}

TEST_F(CheckCommandTest, KnowsWhereTheRootOfFilesIs) {
  start();
  std::filesystem::create_directories(folder_.path() / "public");
  folder_.write("public/there.html", "x");
  const std::string page = folder_.write("page.html", "<a href=/there.html>a</a><a href=/ok>b</a>");
  const Checked folder = check({page, "--format", "json", "--root-dir", folder_.file("public")});
  EXPECT_EQ(folder.json["counts"]["broken"], 1) << folder.out;
  const Checked web = check(
      {page, "--format", "json", "--base-url", other("/"), "--allow-private", "--ignore", "there"});
  EXPECT_EQ(web.json["counts"]["broken"], 0) << web.out;
  EXPECT_EQ(asked(other_port_).count("HEAD /ok"), 1u);
}

TEST_F(CheckCommandTest, ChecksSitemapsAndListsOfUrls) {
  start();
  const std::string sitemap = folder_.write(
      "sitemap.xml", "<urlset>\n<url><loc>" + other("/ok") + "</loc></url>\n<url><loc>" +
                         other("/gone") + "</loc></url></urlset>");
  const std::string list =
      folder_.write("urls.txt", "# ours\n" + other("/ok") + "\n" + other("/teapot") + "\n");
  const Checked checked = check({sitemap, list, "--format", "json", "--allow-private"});
  EXPECT_THAT(told(checked.json),
              UnorderedElementsAre("broken 404 " + other("/gone") + " | " + sitemap + ":3:11 ",
                                   "broken 418 " + other("/teapot") + " | " + list + ":3:1 "));
}

TEST_F(CheckCommandTest, SaysThatItMayNotLookAtPrivateAddresses) {
  start();
  const std::string page = folder_.write("page.md", "<" + other("/ok") + ">");
  const Checked checked = check({page, "--format", "json"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(told(checked.json),
              ElementsAre("unchecked denied " + other("/ok") + " | " + page + ":1:2 "));
  EXPECT_THAT(asked(other_port_), IsEmpty());
}

// A check that saw less than it was told to see must not pass.
TEST_F(CheckCommandTest, FailsIfItIsCutShort) {
  start();
  const Checked checked = check({site(), "--max-broken", "99", "--limit", "2"});
  EXPECT_EQ(checked.exit_code, 1) << checked.out;
  EXPECT_THAT(checked.err, HasSubstr("incomplete: ended by --limit"));
  EXPECT_EQ(check({site(), "--max-broken", "99", "--quota", "1"}).exit_code, 1);
  EXPECT_EQ(check({site(), "--max-broken", "99", "-t", "1"}).exit_code, 0);
}

TEST_F(CheckCommandTest, FailsIfThereIsNothingToCheck) {
  start();
  std::filesystem::create_directories(folder_.path() / "empty/.git");
  const Checked empty = check({folder_.file("empty")});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_THAT(empty.err, HasSubstr("nothing to check"));
  const Checked unmatched =
      check({site("/fine"), "--include", "/no/such/page", "--exclude", "missing"});
  EXPECT_EQ(unmatched.exit_code, 1) << unmatched.out;
  EXPECT_THAT(unmatched.err, HasSubstr("--include"));
  const Checked matched = check({site("/fine"), "--include", "/fine$", "--exclude", "missing"});
  EXPECT_EQ(matched.exit_code, 0) << matched.out << matched.err;
}

TEST_F(CheckCommandTest, SaysWhyAFolderCannotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::filesystem::create_directories(folder_.path() / "docs/private");
  folder_.write("docs/a.md", "text\n");
  std::filesystem::permissions(folder_.path() / "docs/private", std::filesystem::perms::none);
  const Checked checked = check({folder_.file("docs")});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.err, HasSubstr("docs/private: Permission denied"));
}

TEST_F(CheckCommandTest, ReadsStandardInput) {
  start();
  folder_.write("there.md", "# Here\n");
  const Checked markdown =
      check({"-", "--format", "json"}, folder_.path().string(),
            "# Own\n\n[good](there.md#here) [own](#own) [gone](nowhere.md) [not](#not)\n");
  EXPECT_EQ(markdown.exit_code, 2) << markdown.err;
  EXPECT_THAT(told(markdown.json), UnorderedElementsAre("broken no_file nowhere.md | -:3:42 gone",
                                                        "fragment no_such_id -#not | -:3:60 not"));
  const Checked list = check({"-", "--format", "json", "--allow-private"}, {},
                             "# ours\n" + other("/ok") + "\n" + other("/gone") + "\n");
  EXPECT_THAT(told(list.json), ElementsAre("broken 404 " + other("/gone") + " | -:3:1 "));
  const Checked address = check({"-", "--format", "json"}, {}, "<https://a.invalid/>\n");
  EXPECT_EQ(address.json["links"], 1);
  const Checked page = check({"-", "--format", "json"}, folder_.path().string(),
                             "<!doctype html><a href=nowhere.html>x</a>");
  EXPECT_THAT(told(page.json), ElementsAre("broken no_file nowhere.html | -:1:24 x"));
}

TEST_F(CheckCommandTest, ReadsOtherKindsOfText) {
  start();
  std::filesystem::create_directories(folder_.path() / "docs");
  folder_.write("docs/a.rst", "See `it <" + other("/gone") + ">`_ and `a <b.qmd>`_.\n");
  folder_.write("docs/b.qmd", "# B {#custom}\n\n[c](c.mdx#made) [own](#custom) [not](#other)\n");
  folder_.write("docs/c.mdx", "## C {#made}\n");
  folder_.write("docs/notes.txt", "Prose about " + other("/teapot") + ", and more.\n");
  const Checked checked = check({"docs", "docs/notes.txt", "--format", "json", "--allow-private"},
                                folder_.path().string());
  EXPECT_THAT(told(checked.json),
              UnorderedElementsAre("broken 404 " + other("/gone") + " | docs/a.rst:1:10 it",
                                   "broken 418 " + other("/teapot") + " | docs/notes.txt:1:13 ",
                                   "fragment no_such_id docs/b.qmd#other | docs/b.qmd:3:38 not"));
}

TEST_F(CheckCommandTest, ExcludesWhatIsNoUrlToo) {
  const std::string page = folder_.write("page.md", "[a](htp://x.example/) [b](http://[)\n");
  EXPECT_EQ(check({page}).exit_code, 2);
  const Checked checked = check({page, "--exclude", "^htp:", "--exclude", "\\["});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
}

}  // namespace
}  // namespace gossamer::support

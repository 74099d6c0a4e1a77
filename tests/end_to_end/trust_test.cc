// What other people may send: crawl directories, folders with a gossamer.toml, archives with links.
// Their settings and links must not reach the files, secrets and connections of the user.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "tests/end_to_end/crawl_run.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

// A folder with a file of the user, where commands run.
class TrustTest : public testing::Test {
 protected:
  struct Ended {
    int exit_code = -1;
    std::string out;
    std::string err;
  };
  // `state` is the state folder of another user; empty: it is our user.
  Ended run(const std::vector<std::string>& words, const std::string& state = {}) const {
    std::vector<std::string> environment = {"SECRET=hidden", "no_proxy=127.0.0.1",
                                            "HOME=" + folder_.path().string()};
    if (!state.empty()) environment.push_back("XDG_STATE_HOME=" + folder_.file(state));
    CommandRun program(words, CommandRun::Streams(),
                       {.folder = folder_.path().string(), .environment = environment});
    const int exit_code = program.wait();
    return {exit_code, program.out(), program.err()};
  }
  std::string content(const std::string& name) const {
    return support::file_content(folder_.file(name));
  }
  // Crawls three pages into a crawl directory.
  Ended begin(const std::string& job, std::vector<std::string> more = {},
              const std::string& state = {}) {
    std::vector<std::string> words = {"crawl", "-q", "--limit", "3",           "-o",
                                      "none",  "-j", job,       site_.url("/")};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = run(words, state);
    EXPECT_TRUE(ended.exit_code == kOk || ended.exit_code == kServerError) << ended.err;
    return ended;
  }
  // Writes the settings of a crawl directory as anybody can: checksums need not be there.
  void forge(const std::string& job, std::string settings) const {
    fs::remove(folder_.file(job + "/seal"));
    if (settings.starts_with("# checksum ")) settings.erase(0, settings.find('\n') + 1);
    folder_.write(job + "/job.toml", settings);
  }
  void add(const std::string& job, const std::string& line) const {
    forge(job, content(job + "/job.toml") + line + "\n");
  }
  void unpack_links(const std::string& name) const {
    fs::create_symlink(folder_.file("victim"), folder_.file(name));
  }
  Ended resume(const std::string& job, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"resume", job};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "--limit", "5", "-o", "none", "-q"});
    return run(words);
  }
  static bool succeeded(const Ended& ended) {
    return ended.exit_code == kOk || ended.exit_code == kServerError;
  }

  SiteThread site_{plain_site(8)};
  support::TestFolder folder_;
};

// Each could write, read or send something.
const std::vector<std::pair<std::string, std::string>> kPowerful = {
    {"cookie-jar", "\"victim\""},
    {"render", "\"auto\""},
    {"load-cookies", "\"victim\""},
    {"skipped", "\"victim\""},
    {"report", "[\"victim.html\"]"},
    {"audit", "\"victim.csv\""},
    {"log-file", "\"victim\""},
    {"control", "\"victim\""},
    {"metrics", "\"127.0.0.1:9\""},
    {"warc-file", "\"victim\""},
    {"input-file", "[\"victim\"]"},
    {"extract-file", "[\"victim\"]"},
    {"header", "[\"A: b\"]"},
    {"user", "\"me:pw\""},
    {"password-env", "\"SECRET\""},
    {"netrc", "true"},
    {"netrc-file", "\"victim\""},
    {"login-url", "\"http://127.0.0.1:9/\""},
    {"login-field", "[\"pw=env:SECRET\"]"},
    {"login-check", "\"x\""},
    {"insecure", "true"},
    {"cacert", "\"victim\""},
    {"cert", "\"victim\""},
    {"key", "\"victim\""},
    {"proxy", "\"127.0.0.1:9\""},
    {"resolve", "[\"a.example:80:127.0.0.1\"]"},
    {"dns-servers", "[\"127.0.0.1\"]"},
    {"allow-private", "true"},
    {"cluster", "\"redis://127.0.0.1:9/x\""},
    {"cluster-password-file", "\"victim\""},
};

TEST_F(TrustTest, TheDirectoryOfAnotherUserCannotUseTheUser) {
  begin("museum", {}, "other_user");
  const std::string settings = content("museum/job.toml");
  folder_.write("victim", "precious");
  const std::uint64_t requests = requests_to(site_);
  for (const auto& [key, value] : kPowerful) {
    forge("museum", settings);
    add("museum", key + " = " + value);
    const Ended ended = resume("museum");
    EXPECT_EQ(ended.exit_code, kUsage) << key;
    EXPECT_TRUE(has(ended.err, ": " + key + " can ")) << ended.err;
    EXPECT_TRUE(has(ended.err, "add --trust if you trust museum")) << ended.err;
    EXPECT_EQ(support::lines_of(ended.err).size(), 1u) << ended.err;
  }
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_FALSE(fs::exists(folder_.file("victim-00001.warc.gz")));
  EXPECT_EQ(requests_to(site_), requests) << "nothing was sent";
}

TEST_F(TrustTest, TheDirectoryOfAnotherUserResumesIfItCanDoNothing) {
  begin("museum", {"--depth", "5", "--delay", "1ms"}, "other_user");
  const Ended ended = resume("museum");
  EXPECT_TRUE(succeeded(ended)) << ended.err;
  EXPECT_GT(requests_to(site_), 4u);
}

TEST_F(TrustTest, TheUsersOwnDirectoryKeepsItsRights) {
  begin("museum", {"--cookie-jar", "jar", "-H", "X-Token: abc"});
  EXPECT_TRUE(has(content("museum/job.toml"), "# signature "));
  const Ended ended = resume("museum");
  EXPECT_TRUE(succeeded(ended)) << ended.err;
  fs::rename(folder_.file("museum"), folder_.file("moved"));
  EXPECT_TRUE(succeeded(resume("moved"))) << "a directory may move";
}

TEST_F(TrustTest, AnOldOrForeignDirectoryIsSignedWhenItIsTrusted) {
  begin("museum", {"--cookie-jar", "jar"}, "other_user");
  std::string settings = content("museum/job.toml");
  const Ended foreign = resume("museum");
  EXPECT_EQ(foreign.exit_code, kUsage);
  EXPECT_TRUE(has(foreign.err, "were changed, or written by another user")) << foreign.err;
  // Earlier versions did not sign.
  forge("museum", settings.substr(0, settings.find("# signature ")));
  const Ended old = resume("museum");
  EXPECT_EQ(old.exit_code, kUsage);
  EXPECT_TRUE(has(old.err, "were written by an earlier version")) << old.err;
  EXPECT_TRUE(succeeded(resume("museum", {"--trust"})));
  EXPECT_TRUE(succeeded(resume("museum"))) << "it is signed now";
  add("museum", "user-agent = \"x\"");
  EXPECT_EQ(resume("museum").exit_code, kUsage) << "a changed one is not";
}

TEST_F(TrustTest, TheSameCommandSignsAnOldDirectory) {
  begin("museum", {"--cookie-jar", "jar"});
  const std::string settings = content("museum/job.toml");
  forge("museum", settings.substr(0, settings.find("# signature ")));
  begin("museum", {"--cookie-jar", "jar"});
  EXPECT_TRUE(succeeded(resume("museum")));
  EXPECT_EQ(content("museum/job.toml"), settings);
}

TEST_F(TrustTest, WithoutAStateFolderADirectoryIsNotSigned) {
  folder_.write("file", "");
  begin("museum", {"--cookie-jar", "jar"}, "file");
  EXPECT_FALSE(has(content("museum/job.toml"), "# signature "));
  EXPECT_EQ(resume("museum").exit_code, kUsage);
}

TEST_F(TrustTest, AFolderWithAConfigurationCannotUseTheUser) {
  folder_.write("victim", "precious");
  const std::string url = "url = \"" + site_.url("/") + "\"\n";
  for (const auto& [key, value] : kPowerful) {
    folder_.write("gossamer.toml", "[crawl]\n" + url + key + " = " + value + "\n");
    const Ended ended = run({"crawl"});
    EXPECT_EQ(ended.exit_code, kUsage) << key;
    EXPECT_TRUE(has(ended.err, "./gossamer.toml:3: " + key + " can ")) << ended.err;
    EXPECT_TRUE(has(ended.err, "add --trust if you trust this folder")) << ended.err;
  }
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_EQ(requests_to(site_), 0u);
  folder_.write("gossamer.toml", "[check]\nsource = [\"victim\"]\n");
  const Ended check = run({"check"});
  EXPECT_TRUE(has(check.err, "./gossamer.toml:2: source can read files")) << check.err;
  folder_.write("gossamer.toml", "[check]\nsource = [\"" + site_.url("/") + "\"]\nno-robots = 1\n");
  EXPECT_FALSE(has(run({"check"}).err, "--trust"));
}

TEST_F(TrustTest, ATrustedFolderAndANamedFileMaySetEverything) {
  folder_.write("gossamer.toml",
                "[crawl]\nurl = \"" + site_.url("/") + "\"\nlimit = 2\noutput = \"results\"\n");
  EXPECT_TRUE(succeeded(run({"crawl", "--trust"})));
  EXPECT_EQ(support::lines_of(content("results")).size(), 2u);
  fs::remove(folder_.file("results"));
  EXPECT_TRUE(succeeded(run({"crawl", "--config", "gossamer.toml"})));
  EXPECT_EQ(support::lines_of(content("results")).size(), 2u);
  const Ended shown = run({"crawl", "--print-config"});
  EXPECT_TRUE(has(shown.out, "output = \"results\"  # ./gossamer.toml:4; only with --trust\n"));
}

TEST_F(TrustTest, LinksInACrawlDirectoryAreNotFollowed) {
  begin("museum", {}, "other_user");
  folder_.write("victim", "precious");
  for (const std::string name :
       {"lock", "job.toml.new", "crawl.log", "search.db", "archive/crawl-00009.warc.gz.open",
        "archive/crawl-00009.warc.gz", "tables/999999.log", "tables/LOG", "tables/CURRENT"}) {
    const std::string path = "museum/" + name;
    if (fs::exists(folder_.file(path))) fs::rename(folder_.file(path), folder_.file("saved"));
    unpack_links(path);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"resume", "museum"},
          {"crawl", "-q", "-j", "museum", "--index", "--limit", "9", site_.url("/")},
          {"job", "export", "museum", "--jsonl", "-"}}) {
      const Ended ended = run(words);
      EXPECT_NE(ended.exit_code, kOk) << path << " " << words.front();
      EXPECT_TRUE(has(ended.err, path + " is a symbolic link")) << ended.err;
    }
    EXPECT_EQ(content("victim"), "precious") << path;
    fs::remove(folder_.file(path));
    if (fs::exists(folder_.file("saved"))) fs::rename(folder_.file("saved"), folder_.file(path));
  }
  EXPECT_TRUE(succeeded(resume("museum"))) << "nothing else was wrong";
}

TEST_F(TrustTest, FoldersOfACrawlDirectoryAreNotLinks) {
  for (const std::string name : {"archive", "tables"}) {
    begin("museum", {}, "other_user");
    fs::rename(folder_.file("museum/" + name), folder_.file("elsewhere"));
    const auto before = fs::directory_iterator(folder_.file("elsewhere"));
    fs::create_symlink(folder_.file("elsewhere"), folder_.file("museum/" + name));
    const Ended ended = resume("museum");
    EXPECT_EQ(ended.exit_code, kFileFailed) << name;
    EXPECT_TRUE(has(ended.err, "museum/" + name + " is a symbolic link")) << ended.err;
    EXPECT_EQ(std::distance(before, {}),
              std::distance(fs::directory_iterator(folder_.file("elsewhere")), {}));
    fs::remove_all(folder_.file("elsewhere"));
    fs::remove_all(folder_.file("museum"));
  }
}

TEST_F(TrustTest, ACrawlDirectoryMayBeALinkThatTheUserNames) {
  begin("museum");
  fs::create_symlink(folder_.file("museum"), folder_.file("link"));
  EXPECT_TRUE(succeeded(resume("link")));
}

TEST_F(TrustTest, LinksInTheFolderOfAnArchiveAreNotFollowed) {
  folder_.write("victim", "precious");
  const std::vector<std::string> words = {"crawl",       "-q",   "--limit",     "2",
                                          "--warc-file", "w",    "--warc-cdx",  "--wacz",
                                          "-o",          "none", site_.url("/")};
  for (const std::string name : {"w-00001.warc.gz.open", "w-00001.warc.gz"}) {
    unpack_links(name);
    const Ended ended = run(words);
    EXPECT_EQ(ended.exit_code, kFileFailed) << name;
    EXPECT_TRUE(has(ended.err, name + " is a symbolic link")) << ended.err;
    EXPECT_TRUE(fs::is_symlink(folder_.file(name)));
    fs::remove(folder_.file(name));
  }
  // These are replaced as a whole.
  for (const std::string name : {"w.cdxj", "w.wacz"}) unpack_links(name);
  EXPECT_TRUE(succeeded(run(words)));
  for (const std::string name : {"w.cdxj", "w.wacz"}) {
    EXPECT_FALSE(fs::is_symlink(folder_.file(name))) << name;
  }
  EXPECT_EQ(content("victim"), "precious");
}

TEST_F(TrustTest, TheCrawlOfAMirrorIsNotALink) {
  begin("museum");
  fs::create_directory(folder_.file("copy"));
  fs::create_symlink(folder_.file("museum"), folder_.file("copy/.crawl"));
  const Ended ended = run({"mirror", site_.url("/"), "copy", "--", "--no-proxy", "-q"});
  EXPECT_TRUE(has(ended.err, "copy/.crawl is a symbolic link")) << ended.err;
  EXPECT_EQ(ended.exit_code, kUsage);
}

TEST_F(TrustTest, MergedSettingsAreNotSigned) {
  begin("museum", {"--cookie-jar", "jar"}, "other_user");
  EXPECT_EQ(run({"cluster", "export", "museum", "--job", "merged"}).exit_code, kOk);
  EXPECT_TRUE(has(content("merged/job.toml"), "cookie-jar"));
  EXPECT_EQ(resume("merged").exit_code, kUsage);
}

}  // namespace
}  // namespace gossamer::cli

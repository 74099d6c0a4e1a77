// Tests a running `gossamer crawl`: signals, slow and leaving readers, and its messages.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "site/comparison.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/site_server/truth_lines.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"

namespace gossamer::cli {
namespace {

// A pipe whose reading end is ours.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return ends_[1]; }
  void close_reader() { close_end(ends_[0]); }
  void close_writer() { close_end(ends_[1]); }
  bool is_full() const {
    pollfd writer = {.fd = ends_[1], .events = POLLOUT, .revents = 0};
    return poll(&writer, 1, 0) == 0;
  }
  std::string read_all() const {
    std::string text;
    char bytes[4096];
    for (ssize_t size = 0; (size = read(ends_[0], bytes, sizeof(bytes))) > 0;) {
      text.append(bytes, static_cast<std::size_t>(size));
    }
    return text;
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(std::exchange(end, -1));
  }

  int ends_[2] = {-1, -1};
};

TEST(CrawlPolitenessTest, DrainsWhenItIsInterrupted) {
  SiteThread thread(plain_site(5000, 20ms));
  CommandRun run(crawl_words({thread.url("/"), "--concurrency", "8"}));
  wait_for_requests(thread, 30);
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), kInterrupted) << run.err();
  EXPECT_TRUE(has(run.err(), "URLs in ")) << run.err();
  EXPECT_TRUE(has(run.err(), "interrupted")) << run.err();
  const std::vector<std::string> lines = run.out_lines();
  EXPECT_GT(lines.size(), 10u);
  EXPECT_LT(lines.size(), 4000u);
  for (const std::string& line : lines) EXPECT_TRUE(site::read_crawled_url(line)) << line;
  const std::size_t asked = requests_to(thread);
  EXPECT_EQ(lines.size() + 1, asked) << "every fetched page, and robots.txt";
}

TEST(CrawlPolitenessTest, StopsAtOnceWhenItIsInterruptedTwice) {
  // Neither a page nor the end of waiting for it comes within any test's time.
  SiteThread thread(plain_site(10, 24h));
  CommandRun run(
      crawl_words({thread.url("/"), "--no-robots", "--timeout", "24h", "--read-timeout", "24h"}));
  wait_for_requests(thread, 1);
  run.send_signal(SIGTERM);
  support::wait_until([&] { return has(run.err(), "again"); });
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), kAborted) << run.err();
  EXPECT_TRUE(has(run.err(), "interrupted twice")) << run.err();
}

TEST(CrawlPolitenessTest, ShowsWhereEveryFetchWaits) {
  SiteThread thread(plain_site(10, 60s));
  CommandRun run(crawl_words({thread.url("/"), "--no-robots"}));
  wait_for_requests(thread, 1);
  run.send_signal(SIGQUIT);
  support::wait_until([&] { return has(run.err(), "Client::send"); });
  EXPECT_TRUE(has(run.err(), "Engine::work")) << run.err();
}

TEST(CrawlPolitenessTest, EndsWhenNobodyReadsItsResults) {
  SiteThread thread(plain_site(2000, 5ms));
  Pipe pipe;
  pipe.close_reader();
  CommandRun run(crawl_words({thread.url("/")}), {.output_descriptor = pipe.writer()});
  pipe.close_writer();
  EXPECT_EQ(run.wait(), kFileFailed) << run.err();
  EXPECT_TRUE(has(run.err(), "Broken pipe")) << run.err();
  EXPECT_LT(requests_to(thread), 2000u);

  EXPECT_EQ(crawl({thread.url("/"), "-o", "/dev/full"}).exit_code, kFileFailed);
}

TEST(CrawlPolitenessTest, WaitsForASlowReaderAndLosesNothing) {
  SiteThread thread(plain_site(2000));
  Pipe pipe;
  CommandRun run(crawl_words({thread.url("/"), "-q"}), {.output_descriptor = pipe.writer()});
  support::wait_until([&] { return pipe.is_full(); });
  pipe.close_writer();
  EXPECT_LT(requests_to(thread), 2000u) << "it continues although its output is not read";
  EXPECT_EQ(support::lines_of(pipe.read_all()).size(), 2000u);
  EXPECT_EQ(run.wait(), kOk) << run.err();
}

TEST(CrawlPolitenessTest, NeedsNoReaderToBeStopped) {
  SiteThread thread(plain_site(2000));
  Pipe pipe;
  CommandRun run(crawl_words({thread.url("/")}), {.output_descriptor = pipe.writer()});
  support::wait_until([&] { return pipe.is_full(); });
  run.send_signal(SIGINT);
  support::wait_until([&] { return has(run.err(), "again"); });
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), kAborted) << run.err();
}

TEST(CrawlPolitenessTest, LetsAProxyFindTheHosts) {
  support::ScriptedServerThread proxy({{.bytes = kMissing}, {.bytes = answer("through")}});
  CommandRun run({"crawl", "http://nobody.invalid/a", "-x", "127.0.0.1:" + proxy.port()});
  EXPECT_EQ(run.wait(), kOk) << run.err();
  proxy.stop();
  ASSERT_EQ(proxy.requests().size(), 2u);
  EXPECT_TRUE(proxy.requests()[1].starts_with("GET http://nobody.invalid/a HTTP/1.1\r\n"))
      << proxy.requests()[1];
}

TEST(CrawlPolitenessTest, TellsSecretsToTheRootsAlone) {
  support::ScriptedServerThread other({{.bytes = kMissing}, {.bytes = answer("other")}});
  support::ScriptedServerThread root(
      {{.bytes = kMissing},
       {.bytes = answer("<a href='" + other.url("/") + "'>", "Set-Cookie: id=7\r\n")}});
  const Outcome outcome = crawl(
      {root.url("/"), "--scope", "any", "-H", "Authorization: Bearer word", "-H", "X-Api-Key: word",
       "-H", "Accept-Language: de", "-U", "TestBot/2.0", "--contact", "https://a.example/bot"});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.records.size(), 2u);
  root.stop();
  other.stop();
  ASSERT_EQ(root.requests().size(), 2u);
  ASSERT_EQ(other.requests().size(), 2u);
  EXPECT_TRUE(has(root.requests()[1], "\r\nAuthorization: Bearer word\r\n"));
  EXPECT_TRUE(has(root.requests()[1], "\r\nX-Api-Key: word\r\n"));
  for (const std::string& request : other.requests()) {
    EXPECT_FALSE(has(request, "word")) << request;
    EXPECT_TRUE(has(request, "\r\nAccept-Language: de\r\n")) << request;
    EXPECT_TRUE(has(request, "\r\nUser-Agent: TestBot/2.0 (+https://a.example/bot)\r\n"))
        << request;
  }
}

TEST(CrawlPolitenessTest, TellsThePasswordOfARootToThatRoot) {
  support::ScriptedServerThread server({{.bytes = kMissing}, {.bytes = answer("in")}});
  const Outcome outcome = crawl({"http://jan:word@127.0.0.1:" + server.port() + "/"});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.records.at(0)["url"], server.url("/")) << "no password in the results";
  server.stop();
  EXPECT_TRUE(has(server.requests().at(1), "\r\nAuthorization: Basic amFuOndvcmQ=\r\n"));
}

TEST(CrawlPolitenessTest, SaysBeforeTheCrawlThatItsCookiesCannotBeWritten) {
  SiteThread server(plain_site(3, 0ms));
  const Outcome outcome = crawl({server.url("/"), "--cookie-jar", "/no/such/folder/jar"});
  EXPECT_EQ(outcome.exit_code, kFileFailed);
  EXPECT_TRUE(has(outcome.err, "cannot write /no/such/folder/jar")) << outcome.err;
  EXPECT_EQ(requests_to(server), 0U);
}

TEST(CrawlPolitenessTest, IsCalledByItsNameInRobots) {
  const std::string rules = "User-agent: testbot\nDisallow: /\n";
  support::ScriptedServerThread server({{.bytes = answer(rules)}, {.bytes = answer("in")}});
  EXPECT_EQ(crawl({server.url("/"), "-U", "TestBot/2.0"}).records.size(), 0u);
  EXPECT_EQ(crawl({server.url("/"), "-U", "TestBot/2.0", "--no-robots"}).records.size(), 1u);
  server.stop();
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(CrawlPolitenessTest, KeepsCookiesInAFile) {
  const support::TestFolder folder;
  support::ScriptedServerThread server(
      {{.bytes = kMissing},
       {.bytes = answer("<a href='/b'>", "Set-Cookie: id=7; Max-Age=1000\r\n")},
       {.bytes = answer("b")}});
  const Outcome outcome = crawl({server.url("/a"), "--cookie-jar", folder.file("jar")});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_TRUE(has(support::file_content(folder.file("jar")), "\tid\t7"));
  EXPECT_EQ(crawl({server.url("/c"), "--load-cookies", folder.file("jar")}).exit_code, kOk);
  server.stop();
  EXPECT_FALSE(has(server.requests().at(1), "Cookie:"));
  EXPECT_TRUE(has(server.requests().at(2), "\r\nCookie: id=7\r\n"));
  EXPECT_TRUE(has(server.requests().back(), "\r\nCookie: id=7\r\n"));
}

TEST(CrawlPolitenessTest, GoesWhereItIsTold) {
  support::ScriptedServerThread server({{.bytes = kMissing}, {.bytes = answer("here")}});
  const std::string host = "a.example:" + server.port();
  const Outcome outcome = crawl({"--resolve", host + ":127.0.0.1", host});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.records.at(0)["url"], "http://" + host + "/");
}

TEST(CrawlPolitenessTest, LeadsNoLinkIntoTheOwnNetwork) {
  SiteThread secret(plain_site(3));
  support::ScriptedServerThread server(
      {{.bytes = kMissing},
       {.bytes = answer("<a href='http://localhost:" + secret.port() + "/'>")}});
  const Outcome outcome = crawl({server.url("/"), "--scope", "any", "--max-tries", "1"});
  EXPECT_EQ(outcome.exit_code, kNetworkFailed) << outcome.err;
  ASSERT_EQ(outcome.records.size(), 2u);
  EXPECT_EQ(outcome.records[1]["error"], "denied") << outcome.records[1];
  EXPECT_EQ(requests_to(secret), 0u);
  EXPECT_EQ(crawl({server.url("/"), "--scope", "any", "--allow-private"}).exit_code, kOk);
}

TEST(CrawlPolitenessTest, FetchesAllWithFewDescriptors) {
  SiteThread thread(plain_site(400, 2ms));
  for (const char* loop : {"epoll", "io_uring"}) {
    const std::string program = "ulimit -n 40; exec \"$@\"";
    support::TestFolder folder;
    support::Program run({"/bin/sh", "-c", program, "sh", support::gossamer_program(), "crawl",
                          "--no-proxy", "--loop", loop, "--concurrency", "200", "-o",
                          folder.file("results.jsonl"), thread.url("/")},
                         folder.file("log"));
    EXPECT_EQ(run.wait_for_end(), kOk) << support::file_content(folder.file("log"));
    EXPECT_EQ(records_in(folder.file("results.jsonl")).size(), 400u) << loop;
  }
}

TEST(CrawlPolitenessTest, KeepsItsCookiesToItsOwner) {
  support::TestFolder folder;
  SiteThread thread(plain_site(3));
  const std::string jar = folder.file("cookies.txt");
  EXPECT_EQ(crawl({thread.url("/"), "--cookie-jar", jar}).exit_code, kOk);
  struct stat status = {};
  ASSERT_EQ(stat(jar.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

}  // namespace
}  // namespace gossamer::cli

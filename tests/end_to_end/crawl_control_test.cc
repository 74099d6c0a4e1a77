// Tests `gossamer crawl --control` and `gossamer top`, which watch and control a running crawl. The
// server's requests show whether the crawl obeyed.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/end_to_end/serve_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

struct Told {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// A client that says what it is told to, and reads only when it is told to.
class RawClient {
 public:
  explicit RawClient(const std::string& path) : socket_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // As much as the other end takes without being read.
  void say(const std::string& text) const {
    EXPECT_GT(send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT), 0);
  }
  // The next line; empty: it was hung up.
  std::string hear() const {
    std::string line;
    char c = 0;
    while (recv(socket_, &c, 1, 0) == 1 && c != '\n') line += c;
    return line;
  }

 private:
  int socket_;
};

class CrawlControlTest : public testing::Test {
 protected:
  void start(std::vector<std::string> words) {
    words.insert(words.end(), {"--control", socket_, "-o", folder_.file("results.jsonl"),
                               "--skipped", folder_.file("skipped.jsonl")});
    crawl_.emplace(crawl_words(std::move(words)));
    ASSERT_TRUE(support::wait_until([this] { return top({"status"}).exit_code == kOk; }))
        << crawl_->err();
  }

  Told top(std::vector<std::string> words) const {
    words.insert(words.begin(), {"top", socket_});
    CommandRun run(words);
    Told told;
    told.exit_code = run.wait();
    told.out = run.out();
    told.err = run.err();
    return told;
  }
  Json status() const { return Json::parse(top({"status"}).out); }
  Json fetches() const { return Json::parse(top({"fetches"}).out); }
  void do_it(const std::vector<std::string>& words, const std::string& answer) const {
    const Told told = top(words);
    EXPECT_EQ(told.exit_code, kOk) << told.err;
    EXPECT_EQ(told.out, answer + "\n");
  }
  // Nothing is in flight any more.
  bool wait_for_rest() const {
    return support::wait_until([this] { return status()["in_flight"] == 0; });
  }

  support::TestFolder folder_;
  const std::string socket_ = folder_.file("control");
  std::optional<CommandRun> crawl_;
};

TEST_F(CrawlControlTest, PausesAndResumes) {
  SiteThread site(plain_site(100'000, 10ms));
  start({site.url("/"), "--concurrency", "4"});
  wait_for_requests(site, 20);
  do_it({"pause"}, "paused");
  ASSERT_TRUE(wait_for_rest());
  EXPECT_EQ(status()["state"], "paused");
  const std::uint64_t before = requests_to(site);
  // Time for some two hundred requests, if there were any.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(requests_to(site), before);
  do_it({"resume"}, "resumed");
  wait_for_requests(site, before + 50);
  EXPECT_EQ(status()["state"], "running");
  do_it({"stop"}, "stopping");
  EXPECT_EQ(crawl_->wait(), kInterrupted);
  EXPECT_NE(access(socket_.c_str(), F_OK), 0) << "the socket is left behind";
}

TEST_F(CrawlControlTest, TellsWhatEachFetchWaitsFor) {
  SiteThread site(plain_site(100, 60s));
  start({site.url("/"), "--no-robots"});
  ASSERT_TRUE(support::wait_until([this] {
    const Json all = fetches()["fetches"];
    return all.size() == 1 && all[0]["stage"] == "waiting";
  }));
  const Json fetch = fetches()["fetches"][0];
  EXPECT_EQ(fetch["url"], site.url("/"));
  EXPECT_EQ(fetch["host"], "127.0.0.1");
  EXPECT_EQ(fetch["stage"], "waiting");
  EXPECT_EQ(fetch["bytes"], 0);
  EXPECT_EQ(fetch["tries"], 1);
  std::string stack;
  for (const auto& line : fetch["stack"]) stack += line.get<std::string>() + "\n";
  EXPECT_TRUE(has(stack, "Client::send")) << stack;
  EXPECT_TRUE(has(stack, "Engine::work")) << stack;

  const Told shown = top({"--stacks"});
  EXPECT_TRUE(has(shown.out, "1 in flight of 64")) << shown.out;
  EXPECT_TRUE(has(shown.out, "waiting     " + site.url("/"))) << shown.out;
  EXPECT_TRUE(has(shown.out, "Client::send")) << shown.out;
  const Json json = Json::parse(top({"--json"}).out);
  EXPECT_EQ(json["status"]["in_flight"], 1);
  EXPECT_EQ(json["in_flight"]["fetches"][0]["url"], site.url("/"));
  do_it({"abort"}, "aborting");
  EXPECT_EQ(crawl_->wait(), kAborted);
}

TEST_F(CrawlControlTest, AddsAndBlocks) {
  SiteThread site(plain_site(20'000, 10ms));
  SiteThread other(plain_site(20));
  start({site.url("/"), "--concurrency", "2"});
  EXPECT_TRUE(has(top({"add", "ftp://a.example/"}).err, "gossamer top: "));
  do_it({"add", other.url("/")}, "added " + other.url("/"));
  do_it({"add", other.url("/")}, "already known");
  wait_for_requests(other, 15);
  // Both are 127.0.0.1.
  do_it({"block", "127.0.0.1"}, "blocked 127.0.0.1");
  EXPECT_EQ(crawl_->wait(), kOk) << crawl_->err();
  EXPECT_LT(requests_to(site), 20'000u);
  std::size_t blocked = 0;
  for (const Json& skipped : records_in(folder_.file("skipped.jsonl"))) {
    blocked += skipped["skip_reason"] == "blocked" ? 1 : 0;
  }
  EXPECT_GT(blocked, 0u);
  EXPECT_TRUE(has(crawl_->err(), "blocked")) << crawl_->err();
}

TEST_F(CrawlControlTest, Excludes) {
  SiteThread site(plain_site(20'000, 10ms));
  start({site.url("/"), "--concurrency", "2"});
  wait_for_requests(site, 20);
  EXPECT_EQ(top({"exclude", "["}).exit_code, kFailed);
  do_it({"exclude", "[0-9]"}, "excluded [0-9]");
  EXPECT_EQ(crawl_->wait(), kOk) << crawl_->err();
  EXPECT_LT(requests_to(site), 20'000u);
  std::size_t excluded = 0;
  for (const Json& skipped : records_in(folder_.file("skipped.jsonl"))) {
    excluded += skipped["skip_reason"] == "excluded" ? 1 : 0;
  }
  EXPECT_GT(excluded, 0u);
}

TEST_F(CrawlControlTest, AKilledCrawlStillExcludesAndBlocks) {
  SiteThread site(plain_site(400, 10ms));
  const std::string job = folder_.file("job");
  start({site.url("/"), "-j", job, "--concurrency", "2"});
  wait_for_requests(site, 20);
  do_it({"pause"}, "paused");
  ASSERT_TRUE(wait_for_rest());
  do_it({"block", "b.example"}, "blocked b.example");
  // The last digit of the URL is odd.
  do_it({"exclude", "[13579][^0-9]*$"}, "excluded [13579][^0-9]*$");
  crawl_->send_signal(SIGKILL);
  static_cast<void>(crawl_->wait());
  const auto log = [&] {
    return site.ask([](SiteOnLoopback& here) {
      std::vector<std::string> targets;
      for (const site::LogEntry& entry : here.server().log()) targets.push_back(entry.target);
      return targets;
    });
  };
  const std::size_t before = log().size();
  CommandRun resumed({"resume", job, "--", "-o", "/dev/null"});
  EXPECT_EQ(resumed.wait(), kOk) << resumed.err();
  const std::vector<std::string> targets = log();
  EXPECT_GT(targets.size(), before + 50);
  for (std::size_t i = before; i < targets.size(); ++i) {
    const std::size_t digit = targets[i].find_last_of("0123456789");
    if (digit == std::string::npos) continue;
    EXPECT_EQ((targets[i][digit] - '0') % 2, 0) << targets[i];
  }
  EXPECT_TRUE(has(resumed.err(), "as in earlier runs: exclude [13579][^0-9]*$")) << resumed.err();
  EXPECT_TRUE(has(resumed.err(), "as in earlier runs: block b.example")) << resumed.err();
}

TEST_F(CrawlControlTest, RulesCanBeTakenBack) {
  SiteThread site(plain_site(400, 10ms));
  const std::string job = folder_.file("job");
  start({site.url("/"), "-j", job, "--concurrency", "2"});
  wait_for_requests(site, 20);
  do_it({"pause"}, "paused");
  ASSERT_TRUE(wait_for_rest());
  EXPECT_TRUE(has(top({"unblock", "b.example"}).err, "this host is not blocked")) << "yet";
  EXPECT_TRUE(has(top({"unexclude", "/no"}).err, "this pattern is not excluded")) << "yet";
  do_it({"block", "http://b.example/page"}, "blocked b.example");
  do_it({"block", "c.example"}, "blocked c.example");
  do_it({"exclude", "[0-9]"}, "excluded [0-9]");
  do_it({"unblock", "b.example"}, "unblocked b.example");
  do_it({"unexclude", "[0-9]"}, "no longer excludes [0-9]");
  crawl_->send_signal(SIGKILL);
  static_cast<void>(crawl_->wait());
  const std::size_t before = requests_to(site);
  CommandRun resumed({"resume", job, "--", "-o", "/dev/null"});
  EXPECT_EQ(resumed.wait(), kOk) << resumed.err();
  EXPECT_GT(requests_to(site), before + 100) << "nothing is excluded";
  EXPECT_TRUE(has(resumed.err(), "as in earlier runs: block c.example")) << resumed.err();
  EXPECT_FALSE(has(resumed.err(), "b.example")) << resumed.err();
  EXPECT_FALSE(has(resumed.err(), "exclude")) << resumed.err();
}

TEST_F(CrawlControlTest, NamesTheUrlsThatFailed) {
  SiteThread site(plain_site(100, 20ms));
  start({site.url("/"), site.url("/no/such/page"), "--delay", "2s"});
  ASSERT_TRUE(support::wait_until([this] { return !status()["failures"].empty(); }));
  const Json failure = status()["failures"][0];
  EXPECT_EQ(failure["url"], site.url("/no/such/page"));
  EXPECT_EQ(failure["error"], "404");
  do_it({"abort"}, "aborting");
  EXPECT_EQ(crawl_->wait(), kAborted);
}

TEST_F(CrawlControlTest, ServesMetrics) {
  SiteThread site(plain_site(100'000, 10ms));
  start({site.url("/"), "--concurrency", "2", "--metrics", "0"});
  const std::string mark = "metrics: ";
  ASSERT_TRUE(support::wait_until([&] { return has(crawl_->err(), mark); }));
  const std::string said = crawl_->err();
  const std::size_t begin = said.find(mark) + mark.size();
  const std::string address = said.substr(begin, said.find('\n', begin) - begin);
  wait_for_requests(site, 20);
  const auto fetched = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"fetch", "-i", "--no-proxy"});
    CommandRun run(words);
    static_cast<void>(run.wait());
    return run.out();
  };
  const std::string metrics = fetched({address});
  EXPECT_TRUE(has(metrics, "HTTP/1.1 200 OK")) << metrics;
  EXPECT_TRUE(has(metrics, "# TYPE gossamer_crawl_pages_total counter")) << metrics;
  EXPECT_TRUE(has(metrics, "gossamer_crawl_in_flight{crawl=\"127.0.0.1:")) << metrics;
  EXPECT_TRUE(has(fetched({address, "-H", "Host: rebound.example"}), "HTTP/1.1 421 "));
  EXPECT_TRUE(has(fetched({address + "/more"}), "HTTP/1.1 404 "));
  do_it({"abort"}, "aborting");
  EXPECT_EQ(crawl_->wait(), kAborted);
}

// The live view reads the end there, even if it is opened later.
TEST_F(CrawlControlTest, ServeKnowsTheDirectoryOfACrawlThatIsGone) {
  SiteThread site(plain_site(100'000, 10ms));
  const std::string job = folder_.file("job");
  start({site.url("/"), "--concurrency", "2", "-j", job});
  const ServeRun server({job, "--control", socket_});
  const auto is = [&server](const std::string& state) {
    return has(server.api("live"), "\"state\": \"" + state + "\"");
  };
  ASSERT_TRUE(support::wait_until([&] { return is("running"); }));
  do_it({"abort"}, "aborting");
  EXPECT_EQ(crawl_->wait(), kAborted);
  ASSERT_TRUE(support::wait_until([&] { return is("gone"); }));
  const std::string events = server.api("live/events?crawl=0");
  EXPECT_TRUE(has(events, "\"job\": \"" + job + "\"")) << events;
}

TEST_F(CrawlControlTest, ChangesThePace) {
  SiteThread site(plain_site(100'000, 20ms));
  start({site.url("/"), "--concurrency", "2", "--delay", "1h"});
  do_it({"delay", "0"}, "delay 0 s");
  do_it({"concurrency", "30"}, "concurrency 30");
  ASSERT_TRUE(support::wait_until([this] { return status()["in_flight"] == 30; }));
  do_it({"concurrency", "3"}, "concurrency 3");
  ASSERT_TRUE(support::wait_until([this] { return status()["in_flight"] <= 3; }));
  EXPECT_EQ(status()["concurrency"], 3);
  do_it({"rate", "1/min"}, "rate 1/min");
  ASSERT_TRUE(wait_for_rest());
  const std::uint64_t before = requests_to(site);
  do_it({"rate", "none"}, "rate none");
  wait_for_requests(site, before + 20);
  EXPECT_GE(requests_to(site), before + 20);
  do_it({"stop"}, "stopping");
  EXPECT_EQ(crawl_->wait(), kInterrupted);
}

TEST_F(CrawlControlTest, AnswersNonsenseAndGoesOn) {
  SiteThread site(plain_site(100, 60s));
  start({site.url("/")});
  const RawClient client(socket_);
  client.say("nonsense\n{\"do\":\"fly\"}\n\n{\"do\":\"sta");
  EXPECT_TRUE(has(client.hear(), R"("ok": false)"));
  EXPECT_TRUE(has(client.hear(), "unknown request 'fly'"));
  EXPECT_TRUE(has(client.hear(), R"("ok": false)"));
  client.say("tus\"}\n");
  EXPECT_TRUE(has(client.hear(), R"("state": "running")"));
  client.say(std::string(40'000, 'x'));
  EXPECT_TRUE(has(client.hear(), "must not exceed 16 KiB"));
  EXPECT_EQ(client.hear(), "");
  EXPECT_EQ(top({"puase"}).exit_code, kUsage);
  EXPECT_EQ(top({"abort"}).exit_code, kOk);
  EXPECT_EQ(crawl_->wait(), kAborted);
}

TEST_F(CrawlControlTest, DoesNotWaitForThoseWhoDoNotRead) {
  SiteThread site(plain_site(400, 40ms));
  start({site.url("/"), "--concurrency", "4"});
  const RawClient silent(socket_);
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "{\"do\":\"fetches\"}\n";
  silent.say(many);
  EXPECT_EQ(crawl_->wait(), kOk) << crawl_->err();
  EXPECT_EQ(records_in(folder_.file("results.jsonl")).size(), 400u);
}

TEST_F(CrawlControlTest, LetsOnlySomeIn) {
  SiteThread site(plain_site(100, 60s));
  start({site.url("/")});
  struct stat found = {};
  ASSERT_EQ(stat(socket_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777u, 0600u);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<RawClient>(socket_));
    clients.back()->say("{\"do\":\"status\"}\n");
    EXPECT_TRUE(has(clients.back()->hear(), R"("ok": true)"));
  }
  const RawClient ninth(socket_);
  EXPECT_TRUE(has(ninth.hear(), "too many clients"));
  clients.clear();
  EXPECT_TRUE(support::wait_until([this] { return top({"abort"}).exit_code == kOk; }));
  EXPECT_EQ(crawl_->wait(), kAborted);
}

TEST_F(CrawlControlTest, DoesNotTakeThePlaceOfOthers) {
  SiteThread site(plain_site(100, 60s));
  start({site.url("/")});
  const Outcome second = crawl({site.url("/"), "--control", socket_});
  EXPECT_NE(second.exit_code, kOk);
  EXPECT_TRUE(has(second.err, "another process already listens on")) << second.err;
  EXPECT_TRUE(second.records.empty());
  const std::string file = folder_.write("precious", "text");
  const Outcome third = crawl({site.url("/"), "--control", file});
  EXPECT_NE(third.exit_code, kOk);
  EXPECT_TRUE(has(third.err, "is not a socket")) << third.err;
  EXPECT_EQ(support::file_content(file), "text");
  EXPECT_EQ(top({"status"}).exit_code, kOk) << "the first is as it was";
  EXPECT_EQ(top({"abort"}).exit_code, kOk);
  EXPECT_EQ(crawl_->wait(), kAborted);

  const Told nobody = top({"status"});
  EXPECT_NE(nobody.exit_code, kOk);
  EXPECT_TRUE(has(nobody.err, "no crawl listens at " + socket_)) << nobody.err;
}

TEST_F(CrawlControlTest, TakesThePlaceOfOneThatWasKilled) {
  SiteThread site(plain_site(5));
  {
    SiteThread slow(plain_site(100, 60s));
    start({slow.url("/")});
    crawl_->send_signal(SIGKILL);
    EXPECT_EQ(crawl_->wait(), -1);
  }
  EXPECT_EQ(access(socket_.c_str(), F_OK), 0);
  EXPECT_EQ(crawl({site.url("/"), "--control", socket_}).exit_code, kOk);
}

// Six hosts, 127.0.0.1 to 127.0.0.6, dealt among three loops.
TEST_F(CrawlControlTest, ReachesEveryLoop) {
  const std::string port = std::to_string(support::free_port());
  support::Program server({support::site_server_program(), "--hosts", "6", "--pages", "2000",
                           "--plain", "--delay", "20ms", "--port", port},
                          folder_.file("server.log"));
  ASSERT_TRUE(server.wait_until_listening(static_cast<std::uint16_t>(std::stoi(port))));
  std::vector<std::string> words = {"--threads", "3", "--concurrency", "12"};
  for (int i = 1; i <= 6; ++i) words.push_back("http://127.0.0." + std::to_string(i) + ":" + port);
  start(words);
  ASSERT_TRUE(support::wait_until([this] {
    std::set<int> loops;
    for (const auto& fetch : fetches()["fetches"]) loops.insert(fetch["loop"].get<int>());
    // By then every root was fetched; a missing one would make the exit code 1.
    return loops.size() >= 2 && status()["pages"] >= 100;
  }));
  do_it({"pause"}, "paused");
  ASSERT_TRUE(support::wait_until([this] { return fetches()["total"] == 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(fetches()["total"], 0);
  EXPECT_EQ(status()["threads"], 3);
  do_it({"concurrency", "1"}, "concurrency 3");
  do_it({"resume"}, "resumed");
  // With the last of them nothing is left.
  for (int i = 1; i <= 6; ++i) {
    const std::string host = "127.0.0." + std::to_string(i);
    do_it({"block", host}, "blocked " + host);
  }
  EXPECT_EQ(crawl_->wait(), kOk) << crawl_->err();
  EXPECT_LT(records_in(folder_.file("results.jsonl")).size(), 12'000u);
}

TEST_F(CrawlControlTest, AddsARootOnItsLoop) {
  const std::string port = std::to_string(support::free_port());
  support::Program server({support::site_server_program(), "--hosts", "6", "--pages", "100",
                           "--plain", "--delay", "100ms", "--port", port},
                          folder_.file("server.log"));
  ASSERT_TRUE(server.wait_until_listening(static_cast<std::uint16_t>(std::stoi(port))));
  start({"http://127.0.0.1:" + port, "--threads", "3", "--concurrency", "6", "--allow-private"});
  do_it({"pause"}, "paused");  // so that it does not end before the last root is added
  for (int i = 2; i <= 4; ++i) {
    const std::string root = "http://127.0.0." + std::to_string(i) + ":" + port + "/";
    do_it({"add", root}, "added " + root);
  }
  do_it({"resume"}, "resumed");
  EXPECT_EQ(crawl_->wait(), kOk) << crawl_->err();
  std::set<std::string> hosts;
  for (const Json& record : records_in(folder_.file("results.jsonl"))) {
    hosts.insert(record["url"].get<std::string>().substr(7, 9));
  }
  EXPECT_EQ(hosts, (std::set<std::string>{"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"}));
}

}  // namespace
}  // namespace gossamer::cli

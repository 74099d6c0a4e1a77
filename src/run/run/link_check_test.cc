#include "run/link_check.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tests/support/server_thread.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "async/scope.h"
#include "async/socket.h"
#include "async/task.h"

namespace gossamer::run {
namespace {

TEST(LinkCheckTest, FindsBrokenLinksInFiles) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/a.md") << "[b](b.md) [c](c.md#there) [d](c.md#nowhere)";
  std::ofstream(folder.path() + "/c.md") << "# There";
  CheckSettings settings;
  settings.files = {folder.path()};
  const auto result = check_links(std::move(settings));
  ASSERT_TRUE(result) << result.error().error.message();
  EXPECT_EQ(result->end, crawler::EndReason::finished);
  EXPECT_EQ(result->findings.sources, std::vector<std::string>{folder.path()});
  EXPECT_EQ(result->findings.count(check::FindingKind::broken), 1U);
  EXPECT_EQ(result->findings.count(check::FindingKind::fragment), 1U);
  EXPECT_EQ(result->findings.errors(), 2U);
}

TEST(LinkCheckTest, TellsThatASiteCannotBeReached) {
  CheckSettings settings("http://127.0.0.1:1/");
  settings.crawl.tries_max = 1;
  settings.crawl.politeness.outage_max = Duration::zero();
  const auto result = check_links(std::move(settings));
  ASSERT_TRUE(result) << result.error().error.message();
  EXPECT_EQ(result->findings.sources_unchecked, 1U);
}

TEST(LinkCheckTest, ItsCacheIsWritten) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/a.md") << "[a](a.md)";
  CheckSettings settings;
  settings.files = {folder.path() + "/a.md"};
  settings.cache_file = folder.path() + "/cache";
  EXPECT_TRUE(check_links(std::move(settings)));
  EXPECT_TRUE(std::ifstream(folder.path() + "/cache"));
  CheckSettings nowhere;
  nowhere.files = {folder.path() + "/a.md"};
  nowhere.cache_file = folder.path() + "/none/cache";
  const auto failed = check_links(std::move(nowhere));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().part, Part::sink);
}

// Answers every request with the same page.
class OnePage {
 public:
  Result<void> listen() {
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    listener_.emplace(std::move(*listener));
    return {};
  }
  // BORROWS: this.
  async::Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    while (auto socket = co_await listener_->accept()) scope.spawn(serve(std::move(*socket)));
    listener_.reset();
    scope.cancel();
    co_return co_await scope.join();
  }
  std::uint16_t port() const { return port_; }

 private:
  static async::Task<Result<void>> serve(async::Socket socket) {
    std::string heard;
    while (!heard.contains("\r\n\r\n")) {
      auto lent = co_await socket.receive();
      if (!lent || lent->end()) co_return {};
      heard += as_text(lent->bytes());
    }
    co_return co_await socket.send(
        as_bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n"
                 "Connection: close\r\n\r\n<p>a page</p>"));
  }

  std::uint16_t port_ = 0;
  std::optional<async::Listener> listener_;
};

TEST(LinkCheckTest, FaultsOfPagesAreFoundIfWanted) {
  const support::ServerThread<OnePage> server;
  for (const bool audits : {true, false}) {
    CheckSettings settings(server.url("/"));
    settings.audits_pages = audits;
    const auto result = check_links(std::move(settings));
    ASSERT_TRUE(result) << result.error().error.message();
    EXPECT_EQ(result->findings.count(check::FindingKind::seo) > 0, audits) << "it has no title";
    EXPECT_TRUE(result->has_included_page);
  }
}

TEST(LinkCheckTest, FailsIfAFileIsMissing) {
  CheckSettings settings;
  settings.files = {"/nowhere/at/all.md"};
  EXPECT_FALSE(check_links(std::move(settings)));
}

TEST(LinkCheckTest, TheCheckOfFilesCanBeStopped) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/a.md") << "[b](b.md)";
  CheckSettings settings;
  settings.files = {folder.path()};
  ASSERT_TRUE(complete(settings));
  std::stop_source stop;
  stop.request_stop();
  const auto begun = LinkChecker(std::move(settings)).begin(stop.get_token());
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error(), Errc::cancelled);
}

// A port that accepts connections and never answers.
class SilentPort {
 public:
  SilentPort() {
    sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(socket_, any, size), 0);
    EXPECT_EQ(listen(socket_, 16), 0);
    EXPECT_EQ(getsockname(socket_, any, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~SilentPort() { close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
};

TEST(LinkCheckTest, CanBeDroppedAndStopped) {
  const SilentPort port;
  CheckSettings settings(port.url());
  ASSERT_TRUE(complete(settings));
  LinkCheck check(std::move(settings));
  check.stop();
  const auto result = check.result();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, crawler::EndReason::interrupted);
  CheckSettings other(port.url());
  ASSERT_TRUE(complete(other));
  const LinkCheck dropped(std::move(other));
}

}  // namespace
}  // namespace gossamer::run

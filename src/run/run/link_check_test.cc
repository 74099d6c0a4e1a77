#include "run/link_check.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <fstream>
#include <stop_token>
#include <string>
#include <utility>

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

// Tests that a later run of a crawl resumes the TLS sessions of the earlier one, with nginx.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

// Two servers with one page each, which differ only in their ports. The log says for each request
// whether its connection resumed a session: "r" or ".".
class TlsServers {
 public:
  TlsServers() {
    support::make_certificate(folder_);
    std::filesystem::create_directory(folder_.path() / "root");
    folder_.write("root/page.html", "<title>Page</title>");
    std::string text =
        "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
        "events { worker_connections 64; }\n"
        "http {\n  log_format sessions '$server_port $ssl_session_reused';\n"
        "  access_log access.log sessions; client_body_temp_path t1; proxy_temp_path t2;\n"
        "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
        "  types { text/html html; }\n"
        "  ssl_certificate certificate.pem; ssl_certificate_key key.pem;\n";
    for (const std::uint16_t port : ports_) {
      text += "  server { listen 127.0.0.1:" + std::to_string(port) + " ssl http2; root root; }\n";
    }
    const std::string file = folder_.write("nginx.conf", text + "}\n");
    program_ = std::make_unique<support::Program>(
        std::vector<std::string>{support::kNginx, "-p", folder_.path(), "-e",
                                 folder_.file("error.log"), "-c", file},
        folder_.file("error.log"));
    for (const std::uint16_t port : ports_) program_->wait_until_listening(port);
  }

  std::string port(int server) const { return std::to_string(ports_[server]); }
  std::string url(int server) const { return "https://127.0.0.1:" + port(server) + "/page.html"; }
  std::string certificate_file() const { return folder_.file("certificate.pem"); }
  // The next lines of the log. A server may write them after its answer.
  std::vector<std::string> next_of_log(std::size_t count) {
    std::vector<std::string> lines;
    support::wait_until([&] {
      lines = support::lines_of(support::file_content(log_file()));
      return lines.size() >= read_ + count;
    });
    std::vector<std::string> later(lines.begin() + static_cast<std::ptrdiff_t>(read_), lines.end());
    read_ = lines.size();
    return later;
  }

 private:
  std::string log_file() const { return folder_.file("access.log"); }

  support::TestFolder folder_;
  const std::uint16_t ports_[2] = {support::free_port(), support::free_port()};
  std::unique_ptr<support::Program> program_;
  std::size_t read_ = 0;
};

class CrawlTlsSessionsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(support::kNginx) || !support::is_installed(support::kOpenssl)) {
      GTEST_SKIP() << "no nginx or no openssl";
    }
    servers_ = std::make_unique<TlsServers>();
  }
  // Fetches the pages of the first servers again. Returns what the log says.
  std::vector<std::string> refresh(int servers, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        "crawl",   "-q", "-j",       folder_.file("job"), "--cacert", servers_->certificate_file(),
        "--delay", "0",  "--refresh"};
    words.insert(words.end(), {"--no-proxy", "--no-progress", "--no-robots", "--change-settings"});
    words.insert(words.end(), more.begin(), more.end());
    for (int i = 0; i < servers; ++i) words.push_back(servers_->url(i));
    support::CommandRun crawl(words);
    EXPECT_EQ(crawl.wait(), 0) << crawl.err();
    return servers_->next_of_log(static_cast<std::size_t>(servers));
  }
  std::string of(int server, const char* how) const { return servers_->port(server) + " " + how; }

  support::TestFolder folder_;
  std::unique_ptr<TlsServers> servers_;
};

TEST_F(CrawlTlsSessionsTest, ALaterRunResumesSessionsOfItsOrigins) {
  using Log = std::vector<std::string>;
  EXPECT_EQ(refresh(1), Log{of(0, ".")});
  EXPECT_EQ(refresh(1), Log{of(0, "r")});
  EXPECT_EQ(refresh(1), Log{of(0, "r")}) << "each run leaves a new one";
  const Log both = refresh(2);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(std::set(both.begin(), both.end()), (std::set{of(0, "r"), of(1, ".")}))
      << "the other origin does not see it";
}

TEST_F(CrawlTlsSessionsTest, ARunThatTrustsOtherCertificatesStartsAnew) {
  using Log = std::vector<std::string>;
  EXPECT_EQ(refresh(1), Log{of(0, ".")});
  std::filesystem::last_write_time(
      servers_->certificate_file(),
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(refresh(1), Log{of(0, ".")});
  EXPECT_EQ(refresh(1), Log{of(0, "r")});
  EXPECT_EQ(refresh(1, {"--insecure"}), Log{of(0, ".")});
  EXPECT_EQ(refresh(1), Log{of(0, ".")}) << "its certificate was not checked";
}

}  // namespace
}  // namespace gossamer::cli

// Tests `gossamer crawl` on real sites: the HTML of Debian documentation packages, made by
// different generators, served by nginx. It must fetch exactly the reachable pages, which
// reachable.py computes from the files without any code of the crawler.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

constexpr const char* kMimeTypes = "/etc/nginx/mime.types";
constexpr int kServerSaidNo = 8;

struct Documentation {
  const char* name;
  const char* package;
  const char* folder;
  std::size_t urls_min;  // fewer would show that something else was crawled

  friend void PrintTo(const Documentation& documentation, std::ostream* out) {
    *out << documentation.package;
  }
};

constexpr Documentation kDocumentations[] = {
    {"DocBook", "exim4-doc-html", "/usr/share/doc/exim4-doc-html/spec_html", 60},
    {"Texinfo", "libfftw3-doc", "/usr/share/doc/libfftw3-dev/html", 100},
    {"AsciiDoc", "ntpsec-doc", "/usr/share/doc/ntpsec-doc/html", 80},
    {"ManyTools", "libxml2-doc", "/usr/share/doc/libxml2/html", 100},
    {"ManualPages", "git-doc", "/usr/share/doc/git-doc", 150},
};

class DocumentServer {
 public:
  explicit DocumentServer(const std::string& root) {
    support::make_certificate(folder_);
    const std::string file = folder_.write("nginx.conf", configuration(root));
    program_ = std::make_unique<support::Program>(
        std::vector<std::string>{support::kNginx, "-p", folder_.path(), "-e",
                                 folder_.file("error.log"), "-c", file},
        folder_.file("error.log"));
    program_->wait_until_listening(port_);
  }

  std::string site() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::string tls_site() const { return "https://127.0.0.1:" + std::to_string(tls_port_); }
  std::string http2_site() const { return "https://127.0.0.1:" + std::to_string(http2_port_); }
  std::string certificate_file() const { return folder_.file("certificate.pem"); }

 private:
  std::string configuration(const std::string& root) const {
    return "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
           "events { worker_connections 1024; }\n"
           "http {\n"
           "  access_log off; client_body_temp_path t1; proxy_temp_path t2;\n"
           "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
           "  include " +
           std::string(kMimeTypes) +
           ";\n"
           "  default_type application/octet-stream;\n"
           "  server { listen 127.0.0.1:" +
           std::to_string(port_) + "; listen 127.0.0.1:" + std::to_string(tls_port_) +
           " ssl; listen 127.0.0.1:" + std::to_string(http2_port_) + " ssl http2; root " + root +
           ";\n"
           "    ssl_certificate certificate.pem; ssl_certificate_key key.pem; }\n"
           "}\n";
  }

  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  const std::uint16_t tls_port_ = support::free_port();
  const std::uint16_t http2_port_ = support::free_port();
  std::unique_ptr<support::Program> program_;
};

// Statuses by URL.
using Fetched = std::map<std::string, int>;

Fetched crawled(const std::string& root, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"crawl", "--no-proxy", root};
  words.insert(words.end(), more.begin(), more.end());
  support::CommandRun run(words);
  const int exit_code = run.wait();
  EXPECT_TRUE(exit_code == 0 || exit_code == kServerSaidNo) << exit_code << "\n" << run.err();
  Fetched fetched;
  for (const std::string& line : run.out_lines()) {
    const auto record = nlohmann::json::parse(line);
    const std::string url = record["url"];
    EXPECT_TRUE(record["error"].is_null()) << line;
    EXPECT_TRUE(record["status"].is_number()) << line;
    if (!record["status"].is_number()) continue;
    EXPECT_TRUE(fetched.emplace(url, record["status"]).second) << url << " was fetched twice";
  }
  return fetched;
}

Fetched reachable(const std::string& folder, const std::string& site, const std::string& start) {
  const support::TestFolder output;
  const std::string file = output.file("reachable");
  support::Program script(
      {support::kPython, "-B", support::source_path("tests/end_to_end/reachable.py"), folder, site,
       start, "--mime-types", kMimeTypes},
      file);
  EXPECT_EQ(script.wait_for_end(), 0) << support::file_content(file);
  Fetched expected;
  for (const std::string& line : support::lines_of(support::file_content(file))) {
    const std::size_t space = line.find(' ');
    expected.emplace(line.substr(space + 1), std::stoi(line));
  }
  return expected;
}

std::vector<std::string> missing_in(const Fetched& some, const Fetched& others) {
  std::vector<std::string> missing;
  for (const auto& [url, status] : others) {
    const auto found = some.find(url);
    if (found == some.end() || found->second != status) {
      missing.push_back(std::to_string(status) + " " + url);
    }
  }
  return missing;
}

class CrawlNginxTest : public testing::TestWithParam<Documentation> {};

TEST_P(CrawlNginxTest, FetchesExactlyWhatCanBeReached) {
  const std::string folder = GetParam().folder;
  if (!support::is_installed(support::kNginx) || !std::filesystem::exists(folder + "/index.html")) {
    GTEST_SKIP() << "nginx or " << GetParam().package << " is not installed";
  }
  const DocumentServer nginx(folder);
  const Fetched fetched = crawled(nginx.site() + "/index.html");
  const Fetched expected = reachable(folder, nginx.site(), "/index.html");
  EXPECT_GE(expected.size(), GetParam().urls_min);
  EXPECT_EQ(missing_in(fetched, expected), std::vector<std::string>()) << "not fetched";
  EXPECT_EQ(missing_in(expected, fetched), std::vector<std::string>()) << "not to be reached";
}

TEST_P(CrawlNginxTest, FetchesTheSameOverTls) {
  const std::string folder = GetParam().folder;
  if (!support::is_installed(support::kNginx) || !support::is_installed(support::kOpenssl) ||
      !std::filesystem::exists(folder + "/index.html")) {
    GTEST_SKIP() << "nginx, openssl or " << GetParam().package << " is not installed";
  }
  const DocumentServer nginx(folder);
  const Fetched expected = reachable(folder, nginx.tls_site(), "/index.html");
  const Fetched fetched =
      crawled(nginx.tls_site() + "/index.html", {"--cacert", nginx.certificate_file()});
  EXPECT_EQ(missing_in(fetched, expected), std::vector<std::string>()) << "not fetched";
  EXPECT_EQ(missing_in(expected, fetched), std::vector<std::string>()) << "not to be reached";
}

// Digests by URL, of a crawl over one protocol with an archive.
std::map<std::string, std::string> digests(const DocumentServer& nginx, const std::string& protocol,
                                           std::vector<std::string> more) {
  const support::TestFolder archive;
  std::vector<std::string> words = {"crawl",
                                    "--no-proxy",
                                    "--cacert",
                                    nginx.certificate_file(),
                                    "--warc-file",
                                    archive.file("w"),
                                    nginx.http2_site() + "/index.html"};
  words.insert(words.end(), more.begin(), more.end());
  support::CommandRun run(words);
  const int exit_code = run.wait();
  EXPECT_TRUE(exit_code == 0 || exit_code == kServerSaidNo) << exit_code << "\n" << run.err();
  std::map<std::string, std::string> digests;
  for (const std::string& line : run.out_lines()) {
    const auto record = nlohmann::json::parse(line);
    EXPECT_EQ(record["proto"], protocol) << line;
    const bool has_digest = record["digest"].is_string();
    digests.emplace(record["url"], has_digest ? record["digest"].get<std::string>() : "");
  }
  support::CommandRun check({"warc", "check", archive.file("w-00001.warc.gz")});
  EXPECT_EQ(check.wait(), 0) << check.err();
  return digests;
}

TEST_P(CrawlNginxTest, FetchesTheSameOverHttp2) {
  const std::string folder = GetParam().folder;
  if (!support::is_installed(support::kNginx) || !support::is_installed(support::kOpenssl) ||
      !std::filesystem::exists(folder + "/index.html")) {
    GTEST_SKIP() << "nginx, openssl or " << GetParam().package << " is not installed";
  }
  const DocumentServer nginx(folder);
  const auto newer = digests(nginx, "HTTP/2", {});
  EXPECT_GE(newer.size(), GetParam().urls_min);
  EXPECT_EQ(newer, digests(nginx, "HTTP/1.1", {"--http1"}));
}

INSTANTIATE_TEST_SUITE_P(Documentation, CrawlNginxTest, testing::ValuesIn(kDocumentations),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace gossamer::cli

// Tests HTTP/2 with servers that others wrote, over TLS.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "http/protocols.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/support/command_run.h"
#include "tests/support/driver_test.h"
#include "tests/support/places.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;

constexpr const char* kNghttpd = "/usr/sbin/nghttpd";
constexpr const char* kH2o = "/usr/bin/h2o";
constexpr const char* kApache = "/usr/sbin/apache2";
constexpr const char* kHaproxy = "/usr/sbin/haproxy";
constexpr const char* kPythonH2 = "/usr/lib/python3/dist-packages/h2/__init__.py";
constexpr std::size_t kLargeBytes = 3'000'000;

// The files of a server, and its certificate.
struct Site {
  Site() {
    std::filesystem::create_directories(folder.path() / "root");
    folder.write("root/page.html", page);
    folder.write("root/large.bin", large);
    support::make_certificate(folder);
  }

  std::string url(const std::string& path) const {
    return "https://127.0.0.1:" + std::to_string(port) + path;
  }
  void start(std::vector<std::string> words) {
    program = std::make_unique<support::Program>(std::move(words), folder.file("log"));
    program->wait_until_listening(port);
  }

  support::TestFolder folder;
  const std::uint16_t port = support::free_port();
  const std::string page = sample_page(100);
  const std::string large = incompressible_text(kLargeBytes);
  std::unique_ptr<support::Program> program;
  std::unique_ptr<Site> behind;  // of a proxy
};

std::unique_ptr<Site> start_nginx_with(const std::string& listening) {
  auto site = std::make_unique<Site>();
  const std::string file =
      site->folder.write("nginx.conf",
                         "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
                         "events { worker_connections 1024; }\n"
                         "http {\n  access_log off; client_body_temp_path t1; proxy_temp_path t2;\n"
                         "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
                         "  types { text/html html; application/octet-stream bin; }\n"
                         "  ssl_certificate certificate.pem; ssl_certificate_key key.pem;\n"
                         "  server { listen 127.0.0.1:" +
                             std::to_string(site->port) + listening + "; root root; }\n}\n");
  site->start({support::kNginx, "-p", site->folder.path(), "-e", site->folder.file("error.log"),
               "-c", file});
  return site;
}

std::unique_ptr<Site> start_nginx() { return start_nginx_with(" ssl http2"); }

std::unique_ptr<Site> start_h2o() {
  auto site = std::make_unique<Site>();
  const std::string file = site->folder.write(
      "h2o.conf", "user: root\nlisten:\n  host: 127.0.0.1\n  port: " + std::to_string(site->port) +
                      "\n  ssl:\n    certificate-file: " + site->folder.file("certificate.pem") +
                      "\n    key-file: " + site->folder.file("key.pem") +
                      "\nhosts:\n  default:\n    paths:\n      \"/\":\n        file.dir: " +
                      site->folder.file("root") + "\n");
  site->start({kH2o, "-c", file});
  return site;
}

std::unique_ptr<Site> start_apache() {
  auto site = std::make_unique<Site>();
  // Its workers are another user.
  std::filesystem::permissions(site->folder.path(), std::filesystem::perms(0755));
  const std::string modules = "/usr/lib/apache2/modules/mod_";
  std::string text = "ServerName localhost\nServerRoot " + site->folder.path().string() +
                     "\nPidFile pid\nErrorLog error.log\nMutex pthread\n";
  for (const std::string name : {"mpm_event", "authz_core", "mime", "ssl", "http2"}) {
    text += "LoadModule " + name + "_module " + modules + name + ".so\n";
  }
  text += "User www-data\nGroup www-data\nTypesConfig /etc/mime.types\nListen 127.0.0.1:" +
          std::to_string(site->port) +
          "\nProtocols h2 http/1.1\nSSLEngine on\nSSLCertificateFile certificate.pem\n"
          "SSLCertificateKeyFile key.pem\nDocumentRoot root\n";
  site->start({kApache, "-f", site->folder.write("apache.conf", text), "-D", "FOREGROUND"});
  return site;
}

// In front of nginx.
std::unique_ptr<Site> start_haproxy() {
  auto behind = start_nginx_with("");
  auto site = std::make_unique<Site>();
  site->folder.write("both.pem", support::file_content(site->folder.file("certificate.pem")) +
                                     support::file_content(site->folder.file("key.pem")));
  const std::string file = site->folder.write(
      "haproxy.cfg",
      "defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n"
      "frontend f\n  bind 127.0.0.1:" +
          std::to_string(site->port) + " ssl crt " + site->folder.file("both.pem") +
          " alpn h2,http/1.1\n  default_backend b\nbackend b\n  server s 127.0.0.1:" +
          std::to_string(behind->port) + "\n");
  site->start({kHaproxy, "-f", file});
  site->behind = std::move(behind);
  return site;
}

std::unique_ptr<Site> start_nghttpd() {
  auto site = std::make_unique<Site>();
  site->start({kNghttpd, "-a", "127.0.0.1", "-d", site->folder.file("root"),
               std::to_string(site->port), site->folder.file("key.pem"),
               site->folder.file("certificate.pem")});
  return site;
}

std::unique_ptr<Site> start_caddy() {
  auto site = std::make_unique<Site>();
  const std::string file = site->folder.write(
      "Caddyfile", "{\n\tadmin off\n\tauto_https off\n}\nhttps://127.0.0.1:" +
                       std::to_string(site->port) + " {\n\tbind 127.0.0.1\n\ttls " +
                       site->folder.file("certificate.pem") + " " + site->folder.file("key.pem") +
                       "\n\troot * " + site->folder.file("root") + "\n\tfile_server\n}\n");
  site->start({"/usr/bin/env", "HOME=" + site->folder.file("home"),
               "XDG_DATA_HOME=" + site->folder.file("data"),
               "XDG_CONFIG_HOME=" + site->folder.file("config"), kCaddy, "run", "--config", file,
               "--adapter", "caddyfile"});
  return site;
}

// `calm` is the number of requests that it refuses first.
std::unique_ptr<Site> start_python_with(int calm) {
  auto site = std::make_unique<Site>();
  site->start({support::kPython, "-B", support::source_path("tests/end_to_end/http2_python.py"),
               std::to_string(site->port), site->folder.file("certificate.pem"),
               site->folder.file("key.pem"), site->folder.file("root"), std::to_string(calm)});
  return site;
}

std::unique_ptr<Site> start_python() { return start_python_with(0); }

struct ServerKind {
  const char* name;
  const char* program;  // or another file of it
  std::unique_ptr<Site> (*start)();
};
constexpr ServerKind kServers[] = {
    {"nginx", support::kNginx, start_nginx}, {"nghttpd", kNghttpd, start_nghttpd},
    {"caddy", kCaddy, start_caddy},          {"h2o", kH2o, start_h2o},
    {"apache", kApache, start_apache},       {"haproxy", kHaproxy, start_haproxy},
    {"python3-h2", kPythonH2, start_python},
};

std::shared_ptr<net::TlsContext> context_for(const Site& site, Protocols protocols) {
  return trusting(site.folder.file("certificate.pem"), {.alpn = alpn_of(protocols)});
}

class Http2ServersTest : public async::DriverTest {
 protected:
  struct Server {
    const char* name;
    std::unique_ptr<Site> site;
  };

  static void SetUpTestSuite() {
    if (!support::is_installed(support::kOpenssl)) return;
    for (const ServerKind& kind : kServers) {
      const bool is_complete =
          kind.start != start_haproxy || support::is_installed(support::kNginx);
      if (is_complete && std::filesystem::exists(kind.program)) {
        servers.push_back({kind.name, kind.start()});
      }
    }
  }
  static void TearDownTestSuite() { servers.clear(); }
  void SetUp() override {
    if (servers.empty()) GTEST_SKIP() << "no server of HTTP/2, or no openssl";
    DriverTest::SetUp();
  }

  // Runs a test with every server that is installed.
  void with_each(const std::function<Task<void>(const Site&)>& test) {
    for (const Server& server : servers) {
      SCOPED_TRACE(server.name);
      run(test(*server.site));
    }
  }

  static inline std::vector<Server> servers;  // for all tests: starting them takes longer
};

ON_REAL_DRIVERS(Http2ServersTest);

TEST_P(Http2ServersTest, GiveTheSameAsOverHttp1) {
  with_each([](const Site& site) -> Task<void> {
    LocalClient newer({}, context_for(site, Protocols::automatic));
    ClientOptions options;
    options.protocols = Protocols::http1;
    LocalClient older(options, context_for(site, Protocols::http1));
    for (const char* method : {"GET", "HEAD"}) {
      for (const std::string path : {"/page.html", "/large.bin", "/missing.html"}) {
        // nghttpd sends a body with this one, which HTTP/2 forbids.
        if (method == std::string("HEAD") && path == "/missing.html") continue;
        FetchOptions how;
        how.method = method;
        how.limits.bytes_max = 2 * kLargeBytes;
        const Fetched a = co_await fetch_whole(newer.client, site.url(path), how);
        EXPECT_EQ(a.facts.protocol, "HTTP/2") << path;
        EXPECT_TRUE(a.tls && a.tls->alpn == "h2");
        auto b = co_await fetch(older.client, site.url(path), how);
        if (!b) continue;  // a server without HTTP/1.1
        EXPECT_EQ(b->facts.protocol, "HTTP/1.1");
        EXPECT_EQ(a.status, b->status) << path;
        EXPECT_EQ(a.field("Content-Type"), b->field("Content-Type")) << path;
        if (a.status == 200) EXPECT_EQ(a.body, b->body) << path;
      }
    }
    EXPECT_EQ(newer.client.pool().open(), 1u);
  });
}

// BORROWS: both.
Task<void> fetch_pages(Client& client, const Site& site, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Fetched page = co_await fetch_whole(client, site.url("/page.html"));
    EXPECT_EQ(page.body, site.page);
  }
}

TEST_P(Http2ServersTest, CarryManyExchangesOnOneConnection) {
  with_each([](const Site& site) -> Task<void> {
    LocalClient local({}, context_for(site, Protocols::automatic));
    async::Scope scope;
    // nginx says goodbye after 1,000.
    for (int i = 0; i < 40; ++i) scope.spawn(fetch_pages(local.client, site, 20));
    EXPECT_TRUE(co_await scope.join());
    EXPECT_EQ(local.client.pool().open(), 1u);
    EXPECT_TRUE(local.has_all_back());
  });
}

TEST_P(Http2ServersTest, AnUnreadResponseDoesNotStopTheOthers) {
  with_each([](const Site& site) -> Task<void> {
    LocalClient local({}, context_for(site, Protocols::automatic));
    std::vector<Response> unread;
    for (int i = 0; i < 10; ++i) {
      const Request request = make_request(site.url("/large.bin"), {});
      auto response = co_await local.client.send(request);
      EXPECT_TRUE(response);
      if (!response) co_return;
      response->hold();
      unread.push_back(std::move(*response));
    }
    co_await fetch_pages(local.client, site, 100);
    FetchOptions how;
    how.limits.bytes_max = 2 * kLargeBytes;
    const Fetched large = co_await fetch_whole(local.client, site.url("/large.bin"), how);
    EXPECT_TRUE(large.body == site.large);
    unread.clear();
    co_await fetch_pages(local.client, site, 10);
    EXPECT_EQ(local.client.pool().open(), 1u) << "cutting a body costs no connection";
  });
}

TEST_P(Http2ServersTest, RestAndAreUsedAgain) {
  with_each([](const Site& site) -> Task<void> {
    LocalClient local({}, context_for(site, Protocols::automatic));
    for (int i = 0; i < 3; ++i) {
      const Fetched page = co_await fetch_whole(local.client, site.url("/page.html"));
      EXPECT_EQ(page.facts.reused, i > 0);
      static_cast<void>(co_await async::sleep(20ms));
    }
  });
}

// BORROWS: the site.
Task<void> fetch_through_tunnel(const Site& site, std::uint16_t proxy_port) {
  const Proxy proxy = {.kind = ProxyKind::http, .host = "127.0.0.1", .port = proxy_port};
  LocalClient local({.proxies = ProxySettings::all(proxy)},
                    context_for(site, Protocols::automatic));
  for (int i = 0; i < 3; ++i) {
    const Fetched page = co_await fetch_whole(local.client, site.url("/page.html"));
    EXPECT_EQ(page.body, site.page);
    EXPECT_EQ(page.facts.protocol, "HTTP/2");
  }
  EXPECT_EQ(local.client.pool().open(), 1u);
}

TEST_P(Http2ServersTest, AreReachedThroughATunnel) {
  if (!support::is_installed(kTinyproxy)) GTEST_SKIP() << "no tinyproxy";
  const Tinyproxy proxy;
  with_each([&](const Site& site) { return fetch_through_tunnel(site, proxy.port()); });
}

// BORROWS: the site.
Task<void> fetch_from_reluctant(const Site& site, FetchOptions how) {
  LocalClient local({}, context_for(site, Protocols::automatic));
  for (int i = 0; i < 3; ++i) {
    const Fetched page = co_await fetch_whole(local.client, site.url("/"), how);
    EXPECT_EQ(page.facts.protocol, "HTTP/1.1");
    EXPECT_EQ(page.body, "handshakes: 2") << "the client remembers it";
  }
  // A new connection offers only HTTP/1.1.
  local.client.close_idle();
  const Fetched page = co_await fetch_whole(local.client, site.url("/"), how);
  EXPECT_EQ(page.facts.protocol, "HTTP/1.1");
  EXPECT_EQ(page.body, "handshakes: 3");
}

TEST_P(Http2ServersTest, GetHttp1IfTheyRequireIt) {
  if (!support::is_installed(support::kPython)) GTEST_SKIP() << "no python3";
  Site site;
  site.start({support::kPython, "-B", support::source_path("tests/end_to_end/http2_reluctant.py"),
              std::to_string(site.port), site.folder.file("certificate.pem"),
              site.folder.file("key.pem")});
  FetchOptions how;
  how.method = "POST";  // it was not processed, so any method is repeated
  how.body = "data";
  run(fetch_from_reluctant(site, how));
}

TEST_P(Http2ServersTest, GetHttp1IfTheirHeadsAreMalformed) {
  if (!support::is_installed(support::kPython)) GTEST_SKIP() << "no python3";
  Site site;
  site.start({support::kPython, "-B", support::source_path("tests/end_to_end/http2_reluctant.py"),
              std::to_string(site.port), site.folder.file("certificate.pem"),
              site.folder.file("key.pem"), "malformed"});
  run(fetch_from_reluctant(site, {}));
}

constexpr const char* kDocuments = "/usr/share/doc/libfftw3-dev/html";

// The digests of pages that a crawl finds, by path, and problems of its archive.
std::map<std::string, std::string> crawl_documents(const Site& site, const std::string& protocol) {
  const support::TestFolder archive;
  std::vector<std::string> words = {"crawl",
                                    "--no-proxy",
                                    "--cacert",
                                    site.folder.file("certificate.pem"),
                                    "--warc-file",
                                    archive.file("w"),
                                    site.url("/docs/index.html")};
  if (protocol == "HTTP/1.1") words.emplace_back("--http1");
  support::CommandRun crawl(words);
  const int exit_code = crawl.wait();
  EXPECT_TRUE(exit_code == 0 || exit_code == 8) << exit_code << crawl.err();
  std::map<std::string, std::string> digests;
  for (const std::string& line : crawl.out_lines()) {
    const auto record = nlohmann::json::parse(line);
    EXPECT_EQ(record["proto"], protocol) << line;
    if (record["status"] != 200) continue;
    digests.emplace(record["url"].get<std::string>().substr(site.url("").size()),
                    record["digest"].get<std::string>());
  }
  support::CommandRun check({"warc", "check", archive.file("w-00001.warc.gz")});
  EXPECT_EQ(check.wait(), 0) << check.err();
  return digests;
}

TEST(Http2CrawlTest, ADocumentationIsTheSameFromEveryServer) {
  if (!support::is_installed(support::kNginx) || !support::is_installed(support::kOpenssl) ||
      !std::filesystem::exists(kDocuments)) {
    GTEST_SKIP() << "no nginx, no openssl or no libfftw3-doc";
  }
  const auto add_documents = [](Site& site) {
    Site& files = site.behind ? *site.behind : site;
    std::filesystem::create_directory_symlink(kDocuments, files.folder.file("root/docs"));
  };
  const auto nginx = start_nginx();
  add_documents(*nginx);
  const auto expected = crawl_documents(*nginx, "HTTP/1.1");
  EXPECT_GT(expected.size(), 50u);
  for (const ServerKind& kind : kServers) {
    if (!std::filesystem::exists(kind.program)) continue;
    SCOPED_TRACE(kind.name);
    const auto site = kind.start();
    add_documents(*site);
    EXPECT_EQ(crawl_documents(*site, "HTTP/2"), expected);
  }
}

// The crawl waits as after a 429, and fetches the page then.
TEST(Http2CrawlTest, BacksOffFromAServerThatAsksForCalm) {
  if (!std::filesystem::exists(kPythonH2)) GTEST_SKIP() << "no python3-h2";
  const auto site = start_python_with(2);
  support::CommandRun crawl({"crawl", "--no-proxy", "--no-robots", "--cacert",
                             site->folder.file("certificate.pem"), site->url("/page.html")});
  ASSERT_EQ(crawl.wait(), 0) << crawl.err();
  const auto lines = crawl.out_lines();
  ASSERT_FALSE(lines.empty());
  const auto record = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(record["status"], 200);
  EXPECT_EQ(record["tries"], 3);
  EXPECT_EQ(record["proto"], "HTTP/2");
}

}  // namespace
}  // namespace gossamer::http

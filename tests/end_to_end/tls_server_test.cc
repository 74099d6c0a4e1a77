// Tests TLS with external servers on this machine: `openssl s_server`, with valid and invalid
// certificates, and nginx.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "async/timeout.h"
#include "net/stream.h"
#include "tests/support/driver_test.h"
#include "tests/support/patience.h"
#include "tests/support/server_program.h"
#include "tests/support/tls_test_certificates.h"

namespace gossamer::net {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using support::free_port;
using support::is_installed;
using support::kNginx;
using support::kOpenssl;
using support::Program;
using testing::HasSubstr;

struct Answer {
  std::string text;
  TlsFacts facts;
};

// BORROWS: the stream.
Task<Result<Answer>> get(Stream& stream, std::string path) {
  const std::string request =
      "GET " + path + " HTTP/1.1\r\nHost: server.example\r\nConnection: close\r\n\r\n";
  if (auto sent = co_await stream.send(as_bytes(request)); !sent) {
    co_return fail(std::move(sent).error());
  }
  Answer answer;
  for (;;) {
    auto chunk = co_await stream.receive();
    if (!chunk) co_return fail(std::move(chunk).error());
    if (chunk->end()) break;
    answer.text += as_text(chunk->bytes());
  }
  answer.facts = stream.tls_facts();
  static_cast<void>(co_await stream.finish());
  co_return answer;
}

// Connects, trying again while the server starts.
Task<Result<async::Socket>> connect(std::uint16_t port) {
  for (;;) {
    auto socket = co_await async::Socket::connect(async::Endpoint::loopback(port));
    if (socket || socket.error() != Errc::refused) co_return socket;
    if (auto slept = co_await async::sleep(20ms); !slept) co_return fail(std::move(slept).error());
  }
}

Task<Result<Answer>> fetch(std::uint16_t port, std::shared_ptr<TlsContext> context,
                           std::string path) {
  auto socket = co_await connect(port);
  if (!socket) co_return fail(std::move(socket).error());
  auto stream = co_await tls_client_handshake(
      std::move(*socket), std::move(context),
      {.server_name = "server.example", .session_key = std::to_string(port)});
  if (!stream) co_return fail(std::move(stream).error());
  co_return co_await get(*stream, std::move(path));
}

Task<Result<Answer>> fetch_soon(std::uint16_t port, std::shared_ptr<TlsContext> context,
                                std::string path = "/") {
  co_return co_await async::with_timeout(support::kPatience,
                                         fetch(port, std::move(context), std::move(path)));
}

class TlsServerTest : public async::DriverTest {
 protected:
  std::shared_ptr<TlsContext> context(TlsOptions options = {}) {
    options.trust_system = false;
    options.ca_file = ca_file_.path();
    return std::move(TlsContext::make(std::move(options)).value());
  }

  TestIdentity authority_ = make_authority();
  TestFile ca_file_{authority_.certificate_pem()};
};

ON_REAL_DRIVERS(TlsServerTest);

// `openssl s_server`, which answers every request with a page about the connection.
class OpensslServer {
 public:
  OpensslServer(const TestIdentity& identity, std::vector<std::string> options)
      : certificate_(identity.certificate_pem()),
        key_(identity.key_pem()),
        program_(words(std::move(options))) {}
  std::uint16_t port() const { return port_; }

 private:
  std::vector<std::string> words(std::vector<std::string> options) const {
    std::vector<std::string> all = {kOpenssl,  "s_server",
                                    "-quiet",  "-www",
                                    "-accept", "127.0.0.1:" + std::to_string(port_),
                                    "-cert",   certificate_.path(),
                                    "-key",    key_.path()};
    all.insert(all.end(), options.begin(), options.end());
    return all;
  }

  std::uint16_t port_ = free_port();
  TestFile certificate_;
  TestFile key_;
  Program program_;
};

TEST_P(TlsServerTest, TalksToOpenssl) {
  if (!is_installed(kOpenssl)) GTEST_SKIP() << "no openssl";
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    const OpensslServer server(make_identity({}, &authority_), {version});
    const auto shared = context();
    for (const bool resumed : {false, true}) {
      const auto answer = run(fetch_soon(server.port(), shared));
      ASSERT_TRUE(answer) << answer.error().to_string();
      EXPECT_THAT(answer->text, HasSubstr("200 ok"));
      EXPECT_THAT(answer->text, HasSubstr("</HTML>"));
      EXPECT_EQ(answer->facts.protocol, version == std::string("-tls1_2") ? "TLSv1.2" : "TLSv1.3");
      EXPECT_EQ(answer->facts.resumed, resumed);
    }
  }
}

TEST_P(TlsServerTest, RefusesBadCertificatesWithTheReason) {
  if (!is_installed(kOpenssl)) GTEST_SKIP() << "no openssl";
  const TestIdentity stranger = make_authority("unknown authority");
  std::vector<std::pair<TlsFailure, TestIdentity>> cases;
  cases.emplace_back(TlsFailure::expired,
                     make_identity({.valid_from = -7200, .valid_until = -3600}, &authority_));
  cases.emplace_back(TlsFailure::not_yet_valid,
                     make_identity({.valid_from = 3600, .valid_until = 7200}, &authority_));
  cases.emplace_back(TlsFailure::wrong_name,
                     make_identity({.alternative_names = "DNS:other.example"}, &authority_));
  cases.emplace_back(TlsFailure::self_signed, make_identity({}, nullptr));
  cases.emplace_back(TlsFailure::unknown_issuer, make_identity({}, &stranger));
  for (const auto& [failure, identity] : cases) {
    const OpensslServer server(identity, {});
    const auto refused = run(fetch_soon(server.port(), context()));
    ASSERT_FALSE(refused);
    EXPECT_EQ(tls_failure(refused.error()), failure) << refused.error().to_string();
    const auto accepted = run(fetch_soon(server.port(), context({.insecure = true})));
    ASSERT_TRUE(accepted) << accepted.error().to_string();
    EXPECT_EQ(accepted->facts.verification, failure);
  }
}

TEST_P(TlsServerTest, ShowsItsCertificateToThoseWhoAsk) {
  if (!is_installed(kOpenssl)) GTEST_SKIP() << "no openssl";
  const OpensslServer server(make_identity({}, &authority_),
                             {"-Verify", "1", "-verify_return_error", "-CAfile", ca_file_.path()});
  const auto refused = run(fetch_soon(server.port(), context()));
  ASSERT_FALSE(refused);
  EXPECT_EQ(tls_failure(refused.error()), TlsFailure::alert) << refused.error().to_string();

  const TestIdentity client = make_identity({.common_name = "a client"}, &authority_);
  const TestFile certificate(client.certificate_pem());
  const TestFile key(client.key_pem());
  const auto answer = run(fetch_soon(
      server.port(),
      context({.client_certificate_file = certificate.path(), .client_key_file = key.path()})));
  ASSERT_TRUE(answer) << answer.error().to_string();
  EXPECT_THAT(answer->text, HasSubstr("a client"));
}

// nginx with one page of a megabyte.
class Nginx {
 public:
  Nginx(const TestIdentity& identity, const std::string& version)
      : certificate_(identity.certificate_pem()), key_(identity.key_pem()) {
    folder_.write("large", std::string(kLarge, 'x'));
    const std::string file =
        folder_.write("nginx.conf",
                      "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
                      "events {}\n"
                      "http { access_log off; client_body_temp_path t1; proxy_temp_path t2;\n"
                      "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
                      "  server { listen 127.0.0.1:" +
                          std::to_string(port_) + " ssl; root " + folder_.path().string() +
                          ";\n    ssl_protocols " + version + "; ssl_certificate " +
                          certificate_.path() + "; ssl_certificate_key " + key_.path() + "; } }\n");
    program_ = std::make_unique<Program>(std::vector<std::string>{
        kNginx, "-p", folder_.path(), "-e", folder_.file("error.log"), "-c", file});
  }

  static constexpr std::size_t kLarge = 1 << 20;
  std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = free_port();
  TestFile certificate_;
  TestFile key_;
  support::TestFolder folder_;
  std::unique_ptr<Program> program_;
};

TEST_P(TlsServerTest, TalksToNginx) {
  if (!is_installed(kNginx)) GTEST_SKIP() << "no nginx";
  for (const char* version : {"TLSv1.2", "TLSv1.3"}) {
    const Nginx nginx(make_identity({}, &authority_), version);
    const auto shared = context({.alpn = {"http/1.1"}});
    for (const bool resumed : {false, true}) {
      const auto answer = run(fetch_soon(nginx.port(), shared, "/large"));
      ASSERT_TRUE(answer) << answer.error().to_string();
      EXPECT_THAT(answer->text.substr(0, 100), HasSubstr("HTTP/1.1 200 OK"));
      EXPECT_TRUE(answer->text.ends_with("\r\n\r\n" + std::string(Nginx::kLarge, 'x')));
      EXPECT_EQ(answer->facts.protocol, version);
      EXPECT_EQ(answer->facts.alpn, "http/1.1");
      EXPECT_EQ(answer->facts.resumed, resumed);
    }
  }
}

}  // namespace
}  // namespace gossamer::net

#include <fmt/format.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <string>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/servers/servers.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {

namespace {

constexpr double kStartNsMax = 5e9;

// One process that serves files and logs nothing. It writes only to its own folder.
constexpr std::string_view kConfiguration = R"(
daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  default_type text/html;
  server {{
    {}
    root {};
    {}
  }}
}}
)";

// As browsers and servers of today have it.
constexpr std::string_view kTls = R"(
    ssl_certificate certificate.pem;
    ssl_certificate_key key.pem;
    ssl_protocols TLSv1.3;
    http2_max_concurrent_streams 128;
)";

void make_certificate(const std::string& folder) {
  std::string names = "subjectAltName=";
  for (std::uint8_t i = 1; i <= kServerAddresses; ++i) {
    names += fmt::format("{}IP:127.0.0.{}", i == 1 ? "" : ",", i);
  }
  auto openssl = ChildProcess::execute(
      {find_program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt",
       "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder + "/key.pem", "-out",
       folder + "/certificate.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", names},
      kServerCore);
  CHECK(openssl.wait().well, "openssl made no certificate");
}

// A port that is free now on all of 127.0.0.x; other programs use only 127.0.0.1.
std::uint16_t free_port() {
  auto endpoint = async::Endpoint::loopback(0);
  const auto listener = async::open_listener(endpoint, 1);
  CHECK(listener.has_value(), "{}", listener.error().to_string());
  close(*listener);
  return endpoint.port;
}

bool accepts_connections(const async::Endpoint& endpoint) {
  alignas(8) std::array<std::byte, 32> address = {};
  const auto length = static_cast<socklen_t>(async::to_kernel(endpoint, address));
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool connected =
      connect(descriptor, reinterpret_cast<const sockaddr*>(address.data()), length) == 0;
  close(descriptor);
  return connected;
}

void wait_until_it_accepts(const async::Endpoint& endpoint) {
  const double begin = wall_ns();
  while (!accepts_connections(endpoint)) {
    CHECK(wall_ns() - begin < kStartNsMax, "nginx did not start");
    const timespec pause = {.tv_sec = 0, .tv_nsec = 10'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

bool Nginx::is_installed() { return !find_program("nginx").empty(); }

Nginx::Nginx() : Nginx(".") {}

Nginx::Nginx(const std::string& root, std::string_view settings, Listening listening) {
  const std::uint16_t port = free_port();
  std::string listen;
  const bool is_tls = listening == Listening::over_tls;
  for (std::uint8_t i = 1; i <= kServerAddresses; ++i) {
    endpoints_.push_back(async::Endpoint::v4(127, 0, 0, i, port));
    listen += fmt::format("listen {} backlog=4096{};\n    ", endpoints_.back().to_string(),
                          is_tls ? " ssl http2" : "");
  }
  if (is_tls) {
    make_certificate(folder_.path());
    listen += kTls;
  }
  folder_.write("nginx.conf", fmt::format(kConfiguration, listen, root, settings));
  folder_.write("page.html", std::string(kPageBytes, 'x'));
  process_ = ChildProcess::execute(
      {find_program("nginx"), "-p", folder_.path(), "-c", "nginx.conf", "-e", "stderr"},
      kServerCore);
  wait_until_it_accepts(endpoints_.back());
}

}  // namespace gossamer::bench

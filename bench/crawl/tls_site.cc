#include "bench/crawl/tls_site.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kDomain = ".tls.example";

constexpr std::string_view kCertificates = R"(
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:false
subjectAltName = DNS:*.tls.example
)";

constexpr std::string_view kSettings = R"(
    listen 0.0.0.0:{0} ssl http2 backlog=4096;
    ssl_certificate {1}/chain.pem;
    ssl_certificate_key {1}/server.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache none;
    ssl_session_tickets on;
    keepalive_timeout 300s;
)";

void run_openssl(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), find_program("openssl"));
  CHECK(ChildProcess::execute(std::move(arguments), kServerCore).wait().well, "openssl failed");
}

// Makes `name`.pem and `name`.key, signed by `issuer` or self-signed.
void certify(const std::string& folder, const std::string& name, const std::string& kind,
             const std::string& issuer) {
  const std::string file = folder + "/" + name;
  run_openssl({"ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file + ".key"});
  std::vector<std::string> sign = {"req",  "-x509",       "-days", "2",
                                   "-key", file + ".key", "-out",  file + ".pem"};
  sign.insert(sign.end(), {"-subj", "/CN=" + name, "-config", folder + "/openssl.cnf"});
  sign.insert(sign.end(), {"-extensions", kind});
  if (!issuer.empty()) {
    const std::string signer = folder + "/" + issuer;
    sign.insert(sign.end(), {"-CA", signer + ".pem", "-CAkey", signer + ".key"});
  }
  run_openssl(std::move(sign));
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::uint16_t free_port() {
  auto endpoint = async::Endpoint::v4(0, 0, 0, 0, 0);
  const auto listener = async::open_listener(endpoint, 1);
  CHECK(listener.has_value(), "{}", listener.error().to_string());
  close(*listener);
  return endpoint.port;
}

std::string page_name(std::size_t page) {
  return page == 0 ? "index.html" : fmt::format("page{}.html", page);
}

// A page of typical size, with links to all pages of its host.
std::string page_text(std::size_t page) {
  std::string text = fmt::format("<!DOCTYPE html><title>Page {}</title>\n", page);
  for (std::size_t link = 0; text.size() < kPageBytes; ++link) {
    const std::size_t to = link % TlsSite::kPagesPerHost;
    text += fmt::format(
        "<p>Much is said of <a href=\"/{}\">page {}</a>, and more could be said "
        "of what it leads to, were there room for it on this one.</p>\n",
        to == 0 ? "" : page_name(to), to);
  }
  return text;
}

}  // namespace

TlsSite::TlsSite(std::size_t hosts) : hosts_(hosts), port_(free_port()) {
  const std::string& folder = folder_.path();
  folder_.write("openssl.cnf", kCertificates);
  certify(folder, "root", "authority", "");
  certify(folder, "between", "authority", "root");
  certify(folder, "server", "server", "between");
  folder_.write("chain.pem", text_of(folder + "/server.pem") + text_of(folder + "/between.pem"));
  for (std::size_t i = 0; i < kPagesPerHost; ++i) folder_.write(page_name(i), page_text(i));
  nginx_.emplace(folder, fmt::format(kSettings, port_, folder));
}

bool TlsSite::can_be_had() { return Nginx::is_installed() && !find_program("openssl").empty(); }

std::vector<std::string> TlsSite::roots() const {
  std::vector<std::string> roots;
  for (std::size_t i = 0; i < hosts_; ++i) {
    roots.push_back(fmt::format("https://h{}{}:{}/", i, kDomain, port_));
  }
  return roots;
}

async::Task<Result<net::Addresses>> TlsSiteNames::look_up(std::string host) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(host.data() + 1, host.data() + host.size(), number);
  if (error != std::errc() || std::string_view(end) != kDomain) {
    co_return fail(Errc::dns_failed, "no host of this site");
  }
  co_return net::addresses_of_literal(
      async::Endpoint::v4(127, 0, static_cast<std::uint8_t>(1 + number / 250),
                          static_cast<std::uint8_t>(1 + number % 250), 0));
}

}  // namespace gossamer::bench

#include "tests/end_to_end/http_servers.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/random.h"

namespace gossamer::http {
namespace {

std::string local_url(const char* scheme, std::uint16_t port, const std::string& path) {
  return std::string(scheme) + "://127.0.0.1:" + std::to_string(port) + path;
}

}  // namespace

std::string sample_page(std::size_t lines) {
  std::string page = "<!doctype html><title>A page</title>\n";
  for (std::size_t i = 0; i < lines; ++i) {
    page += "<p>Line " + std::to_string(i) + " of a page that compresses well.\n";
  }
  return page;
}

std::string incompressible_text(std::size_t bytes) {
  base::Random random(7);
  std::string text(bytes, ' ');
  for (char& c : text) c = static_cast<char>(' ' + random.below(95));
  return text;
}

Nginx::Nginx() {
  make_certificate();
  for (const char* place : {"", "until_close/", "two_then_close/"}) {
    std::filesystem::create_directories(folder_.path() / "root" / place);
    folder_.write("root/" + std::string(place) + "page.html", page_);
  }
  folder_.write("root/large.bin", std::string(kLargeBytes, 'x'));
  folder_.write("root/large.txt", large_text_);
  const std::string file = folder_.write("nginx.conf", configuration());
  program_ = std::make_unique<support::Program>(
      std::vector<std::string>{support::kNginx, "-p", folder_.path(), "-e",
                               folder_.file("error.log"), "-c", file},
      folder_.file("error.log"));
  program_->wait_until_listening(port_);
}

void Nginx::make_certificate() {
  const std::string log = folder_.file("openssl.log");
  support::Program openssl(
      {support::kOpenssl, "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout",
       folder_.file("key.pem"), "-out", certificate_file(), "-days", "2", "-subj", "/CN=localhost",
       "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"},
      log);
  EXPECT_EQ(openssl.wait_for_end(), 0) << "openssl made no certificate";
}

std::string Nginx::configuration() const {
  const std::string listen = "listen 127.0.0.1:" + std::to_string(port_) +
                             "; listen 127.0.0.1:" + std::to_string(tls_port_) + " ssl;";
  return "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
         "events { worker_connections 4096; }\n"
         "http {\n"
         "  access_log off; client_body_temp_path t1; proxy_temp_path t2;\n"
         "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
         "  types { text/html html; text/plain txt; application/octet-stream bin; }\n"
         "  gzip on; gzip_types text/plain; gzip_min_length 1; gzip_comp_level 1;\n"
         "  ssl_protocols TLSv1.2 TLSv1.3;\n"
         "  ssl_certificate certificate.pem; ssl_certificate_key key.pem;\n"
         "  server {\n" +
         listen +
         "\n    root root;\n"
         "    location /until_close/ { chunked_transfer_encoding off; }\n"
         "    location /two_then_close/ { keepalive_requests 2; }\n"
         "    location = /echo {\n"
         "      return 200 \"$http_authorization|$http_cookie|$http_host\";\n"
         "    }\n"
         "  }\n"
         "}\n";
}

std::string Nginx::url(const std::string& path) const { return local_url("http", port_, path); }

std::string Nginx::tls_url(const std::string& path) const {
  return local_url("https", tls_port_, path);
}

Caddy::Caddy() {
  std::filesystem::create_directories(folder_.path() / "root");
  folder_.write("root/page.html", page_);
  const std::string file = folder_.write(
      "Caddyfile",
      "{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:" + std::to_string(port_) +
          " {\n\tbind 127.0.0.1\n\troot * " + folder_.file("root") +
          "\n"
          "\tencode zstd gzip\n\trespond /teapot \"short\" 418\n"
          "\tfile_server\n}\n");
  program_ = std::make_unique<support::Program>(
      std::vector<std::string>{"/usr/bin/env", "HOME=" + folder_.file("home"),
                               "XDG_DATA_HOME=" + folder_.file("data"),
                               "XDG_CONFIG_HOME=" + folder_.file("config"), kCaddy, "run",
                               "--config", file, "--adapter", "caddyfile"},
      folder_.file("log"));
  program_->wait_until_listening(port_);
}

std::string Caddy::url(const std::string& path) const { return local_url("http", port_, path); }

Tinyproxy::Tinyproxy(const std::string& user, const std::string& password) {
  std::string text = "Port " + std::to_string(port_) +
                     "\nListen 127.0.0.1\nTimeout 60\nMaxClients 100\nLogLevel Warning\n";
  if (!user.empty()) text += "BasicAuth " + user + " " + password + "\n";
  const std::string file = folder_.write("tinyproxy.conf", text);
  program_ = std::make_unique<support::Program>(
      std::vector<std::string>{kTinyproxy, "-d", "-c", file}, folder_.file("log"));
  program_->wait_until_listening(port_);
}

Microsocks::Microsocks(const std::string& user, const std::string& password) {
  std::vector<std::string> words = {kMicrosocks, "-i", "127.0.0.1", "-p", std::to_string(port_)};
  if (!user.empty()) words.insert(words.end(), {"-u", user, "-P", password});
  program_ = std::make_unique<support::Program>(std::move(words));
  program_->wait_until_listening(port_);
}

}  // namespace gossamer::http

// Runs `gossamer crawl` against servers on loopback.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/socket.h"
#include "site/site.h"
#include "tests/site_server/site_server.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/server_thread.h"

namespace gossamer::cli {

using support::CommandRun;
using support::has;
using Json = nlohmann::ordered_json;

// A synthetic site on its own port.
class SiteOnLoopback {
 public:
  explicit SiteOnLoopback(site::SiteOptions options) : options_(std::move(options)) {}

  Result<void> listen() {
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    options_.hosts = {listener->endpoint().to_string()};
    listener_.emplace(std::move(*listener));
    site_.emplace(options_);
    server_.emplace(*site_);
    return {};
  }
  async::Task<Result<void>> run() {
    async::Listener listener = std::move(*listener_);
    listener_.reset();
    co_return co_await server_->run(std::move(listener));
  }

  std::uint16_t port() const { return port_; }
  const site::Site& site() const { return *site_; }
  const site::SiteServer& server() const { return *server_; }

 private:
  site::SiteOptions options_;
  std::uint16_t port_ = 0;
  std::optional<async::Listener> listener_;
  std::optional<site::Site> site_;
  std::optional<site::SiteServer> server_;
};

using SiteThread = support::ServerThread<SiteOnLoopback>;

inline site::SiteOptions plain_site(std::uint64_t pages, Duration delay = Duration::zero()) {
  site::SiteOptions options;
  options.pages = pages;
  options.delay = delay;
  return options;
}

inline std::vector<std::string> crawl_words(std::vector<std::string> words) {
  words.insert(words.begin(), {"crawl", "--no-proxy"});
  return words;
}

struct Outcome {
  int exit_code = 0;
  std::string err;
  std::vector<std::string> lines;
  std::vector<Json> records;
};

inline Outcome crawl(std::vector<std::string> words, const std::string& input = {}) {
  CommandRun run(crawl_words(std::move(words)), {.input = input});
  Outcome outcome;
  outcome.exit_code = run.wait();
  outcome.err = run.err();
  outcome.lines = run.out_lines();
  for (const std::string& line : outcome.lines) {
    Json record = Json::parse(line, nullptr, false);
    if (!record.is_discarded()) outcome.records.push_back(std::move(record));
  }
  return outcome;
}

inline std::vector<Json> records_in(const std::string& file) {
  std::vector<Json> records;
  for (const std::string& line : support::lines_of(support::file_content(file))) {
    records.push_back(Json::parse(line));
  }
  return records;
}

// Returns the number in an environment variable, or a default.
inline int number_or(const char* variable, std::uint64_t count) {
  const char* const wanted = std::getenv(variable);
  return wanted == nullptr ? static_cast<int>(count) : std::atoi(wanted);
}

// Requests that the server has started to answer.
inline std::uint64_t requests_to(SiteThread& thread) {
  return thread.ask([](SiteOnLoopback& site) { return site.server().requests(); });
}

inline void wait_for_requests(SiteThread& thread, std::uint64_t count) {
  support::wait_until([&] { return requests_to(thread) >= count; });
}

inline std::string answer(const std::string& body, const std::string& fields = {}) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline const std::string kMissing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

}  // namespace gossamer::cli

#include "bench/crawl/simulated_site.h"

#include <fmt/format.h>

#include <utility>

#include "async/scope.h"
#include "base/hash.h"
#include "site/site.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kMissing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view kEndOfHead = "\r\n\r\n";

// Returns "/a?b" for "GET /a?b HTTP/1.1".
std::string_view target_in(std::string_view request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

std::string written(const site::Answer& answer) {
  std::string head = fmt::format("HTTP/1.1 {} OK\r\nServer: bench\r\n", answer.status);
  for (const auto& [name, value] : answer.fields) head += fmt::format("{}: {}\r\n", name, value);
  return head + fmt::format("Content-Length: {}\r\n\r\n{}", answer.body.size(), answer.body);
}

}  // namespace

SimulatedSite::SimulatedSite(std::size_t hosts, std::uint64_t pages_per_host)
    : pages_(hosts * pages_per_host) {
  site::SiteOptions options;
  options.pages = pages_per_host;
  options.hosts.clear();
  for (std::size_t i = 0; i < hosts; ++i) options.hosts.push_back(fmt::format("host{}.example", i));
  const site::Site site(options);
  for (std::size_t i = 0; i < hosts; ++i) {
    Host& host = hosts_.emplace_back(
        options.hosts[i], async::Endpoint::v4(10, 0, static_cast<std::uint8_t>(i / 250),
                                              static_cast<std::uint8_t>(1 + i % 250), 80));
    const auto add = [&](std::string_view target) {
      const site::Answer answer = site.answer({.host = host.name, .target = target});
      host.answers.emplace(base::hash64(target), written(answer));
    };
    add("/robots.txt");
    for (std::uint64_t page = 0; page < pages_per_host; ++page) {
      add(site.layout().target({static_cast<std::uint32_t>(i), site::Kind::page, page}));
    }
  }
}

async::Task<Result<void>> SimulatedSite::serve(const Host& host) const {
  auto listener = async::Listener::bind(host.address);
  if (!listener) co_return fail(std::move(listener).error());
  async::Scope connections(async::OnFailure::keep_going);
  for (;;) {
    auto socket = co_await listener->accept();
    if (!socket) break;
    connections.spawn(serve_one(host, std::move(*socket)));
  }
  connections.cancel();
  co_return co_await connections.join();
}

async::Task<Result<void>> SimulatedSite::serve_one(const Host& host, async::Socket socket) {
  std::string heard;
  for (;;) {
    {
      auto lent = co_await socket.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return {};
      heard += as_text(lent->bytes());
    }
    if (!heard.ends_with(kEndOfHead)) continue;
    const auto found = host.answers.find(base::hash64(target_in(heard)));
    heard.clear();
    const std::string_view answer = found == host.answers.end() ? kMissing : found->second;
    if (auto sent = co_await socket.send(as_bytes(answer)); !sent) co_return sent;
  }
}

}  // namespace gossamer::bench

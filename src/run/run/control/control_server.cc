#include "run/control/control_server.h"

#include <unistd.h>

#include <utility>

#include "async/serve_each.h"
#include "async/timeout.h"
#include "base/log.h"

namespace gossamer::run {
namespace {

// The time limit for the next complete request.
constexpr Duration kRequestPatience = 60s;
// The time limit for sending a reply.
constexpr Duration kReplyPatience = 5s;

// BORROWS: the stream.
async::Task<Result<void>> say(net::LocalStream& client, std::string line) {
  co_return co_await async::with_timeout(kReplyPatience, client.send(std::move(line) + "\n"));
}

}  // namespace

Result<ControlServer> ControlServer::bind(const std::string& path) {
  auto listener = net::LocalListener::bind(path);
  if (!listener) return fail(std::move(listener).error());
  return ControlServer(std::move(*listener));
}

async::Task<Result<void>> ControlServer::run() {
  co_return co_await async::serve_each(
      listener_, [this](net::LocalStream client) { return serve(std::move(client)); });
}

async::Task<Result<void>> ControlServer::serve(net::LocalStream client) {
  // The mode of the socket already excludes other users; this check also works on file systems
  // without modes.
  const auto user = client.peer_user();
  if (!user || *user != geteuid()) {
    co_return co_await say(client, error_reply("this crawl belongs to another user"));
  }
  if (clients_ >= kClientsMax) co_return co_await say(client, error_reply("too many clients"));
  ++clients_;
  auto ended = co_await converse(client);
  --clients_;
  co_return ended;
}

async::Task<Result<void>> ControlServer::converse(net::LocalStream& client) {
  std::string heard;
  for (;;) {
    auto line = co_await async::with_timeout(kRequestPatience, next_line(client, heard));
    if (!line && line.error() == Errc::over_limit) {
      co_return co_await say(client, error_reply("a request must not exceed 16 KiB"));
    }
    if (!line) co_return fail(std::move(line).error());
    auto request = parse_control_request(*line);
    if (request) LOG(debug, "control: {}", name(request->kind));
    std::string reply =
        request ? co_await answer_(std::move(*request)) : error_reply(request.error().detail());
    if (auto said = co_await say(client, std::move(reply)); !said) co_return said;
  }
}

async::Task<Result<std::string>> ControlServer::next_line(net::LocalStream& client,
                                                          std::string& heard) {
  for (;;) {
    if (const std::size_t end = heard.find('\n'); end != std::string::npos) {
      std::string line = heard.substr(0, end);
      heard.erase(0, end + 1);
      co_return line;
    }
    if (heard.size() > kRequestBytesMax) co_return fail(Errc::over_limit);
    auto more = co_await client.receive(4096);
    if (!more) co_return fail(std::move(more).error());
    if (more->empty()) co_return fail(Errc::closed);
    heard += *more;
  }
}

}  // namespace gossamer::run

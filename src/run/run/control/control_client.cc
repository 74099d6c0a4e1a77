#include "run/control/control_client.h"

#include <utility>

#include "async/timeout.h"

namespace gossamer::run {
namespace {

constexpr Duration kPatience = 10s;
constexpr std::size_t kReplyBytesMax = 64 * 1024 * 1024;

}  // namespace

Result<ControlClient> ControlClient::connect(const std::string& path) {
  auto stream = net::LocalStream::connect(path);
  if (stream) return ControlClient(std::move(*stream));
  const Errc code = stream.error().code();
  if (code == Errc::not_found || code == Errc::refused) {
    return fail(code, "no crawl listens at " + path);
  }
  return fail(std::move(stream).error());
}

async::Task<Result<std::string>> ControlClient::ask(ControlRequest request) {
  co_return co_await async::with_timeout(kPatience, exchange(std::move(request)));
}

async::Task<Result<std::string>> ControlClient::exchange(ControlRequest request) {
  auto sent = co_await stream_.send(to_json(request) + "\n");
  // The crawl may have sent the reason before it closed the connection.
  const bool is_gone = !sent && (sent.error() == Errc::reset || sent.error() == Errc::peer_closed);
  if (!sent && !is_gone) co_return fail(std::move(sent).error());
  for (std::size_t searched = 0;;) {
    if (const std::size_t end = heard_.find('\n', searched); end != std::string::npos) {
      std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      co_return line;
    }
    searched = heard_.size();
    if (heard_.size() > kReplyBytesMax)
      co_return fail(Errc::over_limit, "the reply of the crawl is too long");
    auto more = co_await stream_.receive(64 * 1024);
    if (!more) co_return fail(std::move(more).error());
    if (more->empty()) co_return fail(Errc::peer_closed, "the crawl has ended");
    heard_ += *more;
  }
}

}  // namespace gossamer::run

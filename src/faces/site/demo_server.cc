#include "site/demo_server.h"

#include <utility>

#include "async/serve_each.h"
#include "site/written_answer.h"

namespace gossamer::site {
namespace {

constexpr std::size_t kRequestBytesMax = 16 * 1024;

}  // namespace

async::Task<Result<void>> DemoServer::run(async::Listener listener) {
  co_return co_await async::serve_each(
      listener, [this](async::Socket socket) { return serve(std::move(socket)); });
}

async::Task<Result<void>> DemoServer::serve(async::Socket socket) {
  std::string heard;
  for (;;) {
    SiteRequest request;
    auto size = read_request(heard, request);
    if (!size) co_return fail(std::move(size).error());
    if (*size == 0) {
      if (heard.size() > kRequestBytesMax) co_return fail(Errc::over_limit, "a long request");
      auto lent = co_await socket.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return {};
      heard += as_text(lent->bytes());
      continue;
    }
    const WrittenAnswer written = write(answer(request), request);
    const bool is_last = !request.keeps_alive || request.has_body || written.pace.is_cut();
    const std::string_view bytes =
        std::string_view(written.bytes).substr(0, written.pace.bytes_max);
    if (auto sent = co_await send_paced(socket, bytes, written.pace); !sent) co_return sent;
    if (is_last) co_return {};
    heard.erase(0, *size);
  }
}

Answer DemoServer::answer(const SiteRequest& request) {
  if (request.method != "GET" || request.has_body) return {.status = 405};
  const std::string url = "http://" + std::string(request.host) + std::string(request.target);
  return site_.answer({.host = request.host,
                       .target = request.target,
                       .attempt = attempts_[url]++,
                       .accepts_gzip = request.accepts_gzip});
}

}  // namespace gossamer::site

#include "render/websocket_launcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "async/mutex.h"
#include "async/timeout.h"
#include "base/log.h"
#include "net/stream.h"
#include "render/base64.h"

namespace gossamer::render {
namespace {

constexpr Duration kConnectTimeMax = std::chrono::seconds(10);
constexpr std::size_t kKeyBytes = 16;
// Screenshots are the largest.
constexpr std::size_t kMessageBytesMax = std::size_t{128} * 1024 * 1024;

class WebSocketPipe final : public BrowserPipe {
 public:
  // `received` followed the answer of the server.
  WebSocketPipe(net::Stream stream, base::Random random, std::string_view received)
      : stream_(std::move(stream)), random_(std::move(random)), reader_(kMessageBytesMax) {
    reader_.feed(as_bytes(received));
  }

  async::Task<Result<std::string>> receive() override;
  async::Task<Result<void>> send(std::string bytes) override;
  Isolation isolation() const override { return Isolation::none; }
  std::string last_words() override { return {}; }
  std::uint64_t memory_bytes() override { return 0; }

 private:
  // BORROWS: the pipe and the payload.
  async::Task<Result<void>> send_frame(FrameKind kind, std::string_view payload);

  net::Stream stream_;
  base::Random random_;
  WebSocketReader reader_;
  async::Mutex sending_;
};

async::Task<Result<std::string>> WebSocketPipe::receive() {
  for (;;) {
    auto message = reader_.next();
    if (!message) co_return fail(std::move(message).error());
    if (!*message) {
      auto lent = co_await stream_.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return std::string();
      reader_.feed(lent->bytes());
      continue;
    }
    WebSocketReader::Message& whole = **message;
    if (whole.kind == FrameKind::close) co_return std::string();
    if (whole.kind == FrameKind::ping) {
      if (auto sent = co_await send_frame(FrameKind::pong, whole.payload); !sent) {
        co_return fail(std::move(sent).error());
      }
    }
    if (whole.kind == FrameKind::text) co_return std::move(whole.payload) + '\0';
  }
}

// On a pipe, a zero byte ends each message.
async::Task<Result<void>> WebSocketPipe::send(std::string bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::string_view message = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(message.size() + 1, rest.size()));
    if (auto sent = co_await send_frame(FrameKind::text, message); !sent) co_return sent;
  }
  co_return {};
}

async::Task<Result<void>> WebSocketPipe::send_frame(FrameKind kind, std::string_view payload) {
  auto lock = co_await sending_.lock();
  if (!lock) co_return fail(std::move(lock).error());
  std::array<char, 4> mask = {};
  for (char& byte : mask) byte = static_cast<char>(random_.below(256));
  const std::string frame = websocket_frame(kind, payload, mask);
  co_return co_await stream_.send(as_bytes(frame));
}

// BORROWS: the stream and the URL. Returns what follows the answer.
async::Task<Result<std::string>> shake_hands(net::Stream& stream, const WebSocketUrl& url,
                                             std::string key) {
  const std::string request = websocket_request(url, key);
  if (auto sent = co_await stream.send(as_bytes(request)); !sent) {
    co_return fail(std::move(sent).error());
  }
  std::string received;
  for (;;) {
    auto lent = co_await stream.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "the browser closed the connection");
    received += as_text(lent->bytes());
    auto length = read_websocket_answer(received, key);
    if (!length) co_return fail(std::move(length).error());
    if (*length) co_return received.substr(**length);
  }
}

// Once: a process may have many loops.
void tell_weakness() {
  static std::atomic_flag was_told;
  if (was_told.test_and_set()) return;
  LOG(warn,
      "this browser is not sealed: pages may reach what it can reach, through sockets and WebRTC");
}

}  // namespace

WebSocketLauncher::WebSocketLauncher(const std::string& url, net::Resolver& resolver,
                                     net::TlsOptions tls, std::uint64_t seed)
    : url_(*parse_websocket_url(url)), connector_(resolver), tls_(std::move(tls)), random_(seed) {}

async::Task<Result<net::Stream>> WebSocketLauncher::connect() {
  net::ConnectRequest request = {.host = url_.host, .port = url_.port, .is_configured = true};
  auto connected = co_await connector_.connect(std::move(request));
  if (!connected) co_return fail(std::move(connected).error());
  if (!url_.is_tls) co_return net::Stream(std::move(connected->socket));
  auto tls = net::TlsContext::make(tls_);
  if (!tls) co_return fail(std::move(tls).error());
  net::TlsPeer peer = {.server_name = url_.host, .session_key = {}, .alpn = "http/1.1"};
  co_return co_await async::with_timeout(
      kConnectTimeMax,
      net::tls_client_handshake(std::move(connected->socket), std::move(*tls), std::move(peer)));
}

async::Task<Result<std::unique_ptr<BrowserPipe>>> WebSocketLauncher::launch(LaunchOptions) {
  tell_weakness();
  auto stream = co_await connect();
  if (!stream) co_return fail(std::move(stream).error(), "while connecting to the browser");
  std::string bytes;
  for (std::size_t i = 0; i < kKeyBytes; ++i) {
    bytes.push_back(static_cast<char>(random_.below(256)));
  }
  auto received = co_await async::with_timeout(
      kConnectTimeMax, shake_hands(*stream, url_, to_base64(as_bytes(bytes))));
  if (!received) co_return fail(std::move(received).error(), "while connecting to the browser");
  co_return std::make_unique<WebSocketPipe>(std::move(*stream), base::Random(random_.next()),
                                            *received);
}

}  // namespace gossamer::render

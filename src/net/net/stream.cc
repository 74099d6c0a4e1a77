#include "net/stream.h"

#include <algorithm>
#include <vector>

#include "async/mutex.h"
#include "async/timeout.h"
#include "net/tls_session.h"

namespace gossamer::net {

// The TLS part of a stream.
class TlsChannel {
 public:
  explicit TlsChannel(std::unique_ptr<TlsSession> session) : session_(std::move(session)) {}

  TlsSession& session() { return *session_; }
  // Held by the sender: the writer, or the reader when it must answer a TLS message.
  async::Mutex sending;
  // A send was interrupted, perhaps inside a record.
  bool is_torn = false;

 private:
  std::unique_ptr<TlsSession> session_;
};

namespace {

// Bytes encrypted at a time: a few records, so that the data waiting for the peer is bounded.
constexpr std::size_t kSliceBytes = 64 * 1024;

// Separate from the coroutines, whose frames would hold its locals while they wait.
[[gnu::noinline]] Result<Chunk> decrypt(TlsSession& session, Bytes received) {
  PlainBlock::Owner block = PlainBlock::take();
  auto decrypted = session.decrypt(received, block->room());
  if (!decrypted) return fail(std::move(decrypted).error());
  block->set_size(decrypted->size);
  return Chunk(std::move(block));
}

}  // namespace

Stream::Stream() noexcept = default;
Stream::Stream(async::Socket socket) noexcept : socket_(std::move(socket)) {}
Stream::Stream(Stream&& other) noexcept = default;
Stream& Stream::operator=(Stream&& other) noexcept = default;
Stream::~Stream() = default;

void Stream::close() noexcept {
  socket_.close();
  tls_.reset();
}

TlsFacts Stream::tls_facts() const {
  CHECK(is_tls());
  return tls_->session().facts();
}

TlsNames Stream::tls_names() const { return is_tls() ? tls_->session().names() : TlsNames(); }

std::string_view Stream::alpn() const {
  return is_tls() ? tls_->session().alpn() : std::string_view();
}

// Sends the session's pending output, unless another task already does.
async::Task<Result<void>> Stream::flush() {
  const auto lock = tls_->sending.try_lock();
  if (!lock) co_return Result<void>();
  co_return co_await drain();
}

// REQUIRES: the caller holds the lock.
async::Task<Result<void>> Stream::drain() {
  while (tls_->session().has_output()) {
    if (tls_->is_torn) co_return fail(Errc::not_connected, "an earlier send was interrupted");
    const std::vector<std::byte> output = tls_->session().take_output();
    tls_->is_torn = true;
    auto sent = co_await socket_.send(output);
    if (!sent) co_return sent;
    tls_->is_torn = false;
  }
  co_return Result<void>();
}

async::Task<Result<void>> Stream::handshake() {
  TlsSession& session = tls_->session();
  auto done = session.handshake({});
  for (;;) {
    // Also after a failure: the peer receives the reason.
    auto sent = co_await flush();
    if (!done) co_return fail(std::move(done).error());
    if (!sent) co_return sent;
    if (*done) co_return Result<void>();
    auto lent = co_await socket_.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end())
      co_return fail(Errc::peer_closed,
                     "the server closed the connection during the TLS handshake");
    done = session.handshake(lent->bytes());
  }
}

async::Task<Result<Chunk>> Stream::receive_tls() {
  TlsSession& session = tls_->session();
  while (session.has_more()) {
    auto chunk = decrypt(session, {});
    if (!chunk || !chunk->end() || session.ended()) co_return chunk;
  }
  for (;;) {
    if (session.has_output()) {
      // The answer to a TLS message. A receive can be cancelled without loss, so it is sent whole.
      auto sent = co_await async::with_grace(kFinishMax, flush());
      if (!sent) co_return fail(std::move(sent).error());
    }
    auto lent = co_await socket_.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "truncated");
    auto chunk = decrypt(session, lent->bytes());
    if (!chunk || !chunk->end() || session.ended()) co_return chunk;
  }
}

async::Task<Result<void>> Stream::send_tls(Bytes bytes) {
  auto lock = co_await tls_->sending.lock();
  if (!lock) co_return fail(std::move(lock).error());
  while (!bytes.empty()) {
    const Bytes slice = bytes.first(std::min(bytes.size(), kSliceBytes));
    if (auto done = tls_->session().encrypt(slice); !done) co_return done;
    bytes = bytes.subspan(slice.size());
    if (auto sent = co_await drain(); !sent) co_return sent;
  }
  co_return Result<void>();
}

async::Task<Result<void>> Stream::finish() {
  if (is_tls()) {
    auto said = co_await async::with_timeout(kFinishMax, say_goodbye());
    if (!said) co_return said;
  }
  co_return co_await socket_.shutdown();
}

async::Task<Result<void>> Stream::say_goodbye() {
  auto lock = co_await tls_->sending.lock();
  if (!lock) co_return fail(std::move(lock).error());
  tls_->session().say_goodbye();
  co_return co_await drain();
}

async::Task<Result<Stream>> tls_client_handshake(async::Socket socket,
                                                 std::shared_ptr<TlsContext> context,
                                                 TlsPeer peer) {
  auto session = TlsSession::client(std::move(context), peer);
  if (!session) co_return fail(std::move(session).error());
  Stream stream(std::move(socket));
  stream.tls_ = std::make_unique<TlsChannel>(std::move(*session));
  if (auto done = co_await stream.handshake(); !done) co_return fail(std::move(done).error());
  co_return stream;
}

}  // namespace gossamer::net

#include "render/connection.h"

#include <utility>

#include "async/timeout.h"

namespace gossamer::render {
namespace {

// BORROWS: nothing; the future is its own.
async::Task<Result<base::JsonValue>> wait_for(async::Future<base::JsonValue> reply) {
  co_return co_await reply.wait();
}

}  // namespace

std::string_view name(Isolation isolation) {
  switch (isolation) {
    case Isolation::none: return "none";
    case Isolation::flags: return "flags";
    case Isolation::no_network: return "no_network";
    case Isolation::sealed: return "sealed";
  }
  return "flags";
}

Connection::Connection(std::unique_ptr<BrowserPipe> pipe, const ConnectionOptions& options)
    : pipe_(std::move(pipe)),
      options_(options),
      isolation_(pipe_->isolation()),
      splitter_(options.message_bytes_max) {}

std::shared_ptr<Connection> Connection::start(std::unique_ptr<BrowserPipe> pipe,
                                              async::Scope& scope,
                                              const ConnectionOptions& options) {
  std::shared_ptr<Connection> self(new Connection(std::move(pipe), options));
  scope.spawn(run(self));
  return self;
}

async::Task<void> Connection::run(std::shared_ptr<Connection> self) {
  async::Scope tasks;
  if (!self->failure_) {
    self->tasks_ = &tasks;
    tasks.spawn(self->send_all());
    tasks.spawn(self->receive_all());
  }
  auto joined = co_await tasks.join();
  self->tasks_ = nullptr;
  self->end(joined ? Error(Errc::closed) : std::move(joined).error());
  self->pipe_.reset();
}

async::Task<Result<void>> Connection::send_all() {
  for (;;) {
    // An idle connection waits here without a deadline; commands have theirs.
    if (auto woken = co_await has_outgoing_.wait(); !woken) co_return woken;
    has_outgoing_.clear();
    auto sent = co_await pipe_->send(std::exchange(outgoing_, {}));
    if (!sent) co_return fail(std::move(sent).error(), "while writing to the browser");
  }
}

async::Task<Result<void>> Connection::receive_all() {
  for (;;) {
    auto bytes = co_await pipe_->receive();
    if (!bytes) co_return fail(std::move(bytes).error(), "while reading from the browser");
    if (bytes->empty()) {
      const std::string words = pipe_->last_words();
      co_return fail(Errc::peer_closed,
                     "the browser ended" + (words.empty() ? std::string() : ": " + words));
    }
    if (auto fed = splitter_.feed(as_bytes(*bytes)); !fed) co_return fed;
    while (const auto text = splitter_.next()) {
      if (auto accepted = accept(*text); !accepted) co_return accepted;
    }
  }
}

Result<void> Connection::accept(std::string_view text) {
  auto message = parse_message(text);
  if (!message) return fail(std::move(message).error());
  if (message->id) {
    deliver_reply(std::move(*message));
    return {};
  }
  const auto sink = sinks_.find(message->session);
  if (sink != sinks_.end()) sink->second->on_event(message->method, message->body);
  return {};
}

void Connection::deliver_reply(Message message) {
  auto found = waiting_.extract(*message.id);
  if (found.empty()) return;  // its caller no longer waits
  auto& reply = found.mapped().reply;
  if (message.problem) {
    reply.reject(Error(Errc::invalid_argument, "the browser says: " + *message.problem));
  } else {
    reply.resolve(std::move(message.body));
  }
}

std::uint64_t Connection::write(std::string_view session, const Command& command) {
  outgoing_ += write_command(++last_id_, session, command);
  has_outgoing_.set();
  return last_id_;
}

void Connection::send(std::string_view session, const Command& command) {
  if (!failure_) write(session, command);
}

async::Task<Result<base::JsonValue>> Connection::call(std::string session, Command command,
                                                      Duration time_max) {
  if (failure_) co_return fail(failure_->copy());
  if (const auto ended = ended_sessions_.find(session); ended != ended_sessions_.end()) {
    co_return fail(ended->second.copy());
  }
  if (waiting_.size() >= options_.commands_max) {
    co_return fail(Errc::over_limit, "too many commands wait for the browser");
  }
  const std::uint64_t id = write(session, command);
  Waiting& waiting = waiting_[id];
  waiting.session = std::move(session);
  auto reply = co_await async::with_timeout(time_max, wait_for(waiting.reply.future()));
  waiting_.erase(id);
  if (!reply) co_return fail(std::move(reply).error(), "in " + command.method);
  co_return reply;
}

void Connection::remove_sink(const std::string& session) {
  sinks_.erase(session);
  ended_sessions_.erase(session);
}

void Connection::end_session(const std::string& session, const Error& error) {
  ended_sessions_.try_emplace(session, error.copy());
  for (auto& [id, waiting] : waiting_) {
    if (waiting.session == session) waiting.reply.reject(error.copy());
  }
  std::erase_if(waiting_, [&](const auto& entry) { return entry.second.session == session; });
}

void Connection::end(Error error) {
  if (failure_) return;
  failure_.emplace(std::move(error));
  outgoing_.clear();
  for (auto& [id, waiting] : std::exchange(waiting_, {})) waiting.reply.reject(failure_->copy());
  if (tasks_ != nullptr) tasks_->cancel();
}

}  // namespace gossamer::render

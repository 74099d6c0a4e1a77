#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "async/event.h"
#include "async/future.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/json_value.h"
#include "base/result.h"
#include "base/time.h"
#include "render/browser_pipe.h"
#include "render/message.h"

namespace gossamer::render {

// Where the events of a session go.
class EventSink {
 public:
  // Called on the loop. Must not wait.
  virtual void on_event(std::string_view method, const base::JsonValue& parameters) = 0;

 protected:
  ~EventSink() = default;
};

struct ConnectionOptions {
  // BOUND: a message of the browser. A picture of a long page is the largest.
  std::size_t message_bytes_max = std::size_t{128} * 1024 * 1024;
  // BOUND: commands without a reply.
  std::size_t commands_max = 4096;
};

// A conversation with a browser: commands with their replies, and events. Any failure ends it, and
// with it all commands that wait; the browser ends with the connection.
class Connection {
 public:
  // Runs in the scope until end(), a failure, or the end of the scope. BORROWS: the scope.
  static std::shared_ptr<Connection> start(std::unique_ptr<BrowserPipe> pipe, async::Scope& scope,
                                           const ConnectionOptions& options = {});
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() = default;

  // Sends a command and returns its result. Fails with Errc::timed_out, with Errc::invalid_argument
  // if the browser rejects the command, and with the failure of the connection.
  // BORROWS: the connection.
  async::Task<Result<base::JsonValue>> call(std::string session, Command command,
                                            Duration time_max);
  // Sends a command whose reply does not matter.
  void send(std::string_view session, const Command& command);

  // Delivers the events of a session to `sink` until remove_sink(). The empty session is the
  // browser itself. Events of other sessions are dropped. BORROWS: the sink.
  void add_sink(const std::string& session, EventSink& sink) { sinks_[session] = &sink; }
  void remove_sink(const std::string& session);

  // Fails the commands of a session that wait, and its later ones: its page is gone.
  void end_session(const std::string& session, const Error& error);
  // Ends the conversation and the browser.
  void end(Error error);
  bool is_open() const { return !failure_; }
  const std::optional<Error>& failure() const { return failure_; }
  std::uint64_t memory_bytes() const { return pipe_ ? pipe_->memory_bytes() : 0; }
  Isolation isolation() const { return isolation_; }

 private:
  struct Waiting {
    std::string session;
    async::Promise<base::JsonValue> reply;
  };

  Connection(std::unique_ptr<BrowserPipe> pipe, const ConnectionOptions& options);
  static async::Task<void> run(std::shared_ptr<Connection> self);
  async::Task<Result<void>> send_all();
  async::Task<Result<void>> receive_all();
  Result<void> accept(std::string_view text);
  void deliver_reply(Message message);
  std::uint64_t write(std::string_view session, const Command& command);

  std::unique_ptr<BrowserPipe> pipe_;
  const ConnectionOptions options_;
  const Isolation isolation_;
  MessageSplitter splitter_;
  std::unordered_map<std::uint64_t, Waiting> waiting_;
  std::unordered_map<std::string, Error> ended_sessions_;
  std::unordered_map<std::string, EventSink*> sinks_;
  std::uint64_t last_id_ = 0;
  std::string outgoing_;
  async::Event has_outgoing_;
  std::optional<Error> failure_;
  async::Scope* tasks_ = nullptr;  // while it runs
};

}  // namespace gossamer::render

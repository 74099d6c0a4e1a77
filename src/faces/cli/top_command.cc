#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "async/event.h"
#include "async/loop.h"
#include "async/signals.h"
#include "async/task.h"
#include "async/timeout.h"
#include "base/escape.h"
#include "cli/commands.h"
#include "display/top_screen.h"
#include "run/control/control_client.h"
#include "run/control/control_protocol.h"
#include "terminal/full_screen.h"
#include "terminal/screen.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kTopCommand = "top";
constexpr std::uint32_t kFetchesShown = 200;
constexpr std::uint32_t kFetchesInSnapshot = run::kFetchesMax;

constexpr std::string_view kTopFooter =
    "Commands: pause, resume, stop, abort, add URL, block HOST, unblock HOST, exclude PATTERN,\n"
    "unexclude PATTERN, rate 5/s, rate none, delay 2s, delay auto, concurrency N. Without a "
    "command,\n"
    "top shows the crawl until you press q. Keys: p pause, r resume, + and - change the "
    "concurrency,\n"
    "up and down select a fetch, b block its host, a add a URL, s stop the crawl, q quit. Manual:\n"
    "docs/control.md";

struct TopArguments {
  std::string socket;
  std::vector<std::string> words;
  Duration interval = 500ms;
  bool is_once = false;
  bool is_json = false;
  bool has_stacks = false;
};

void declare_top(options::Table& table, TopArguments& arguments) {
  table.summary("Watch and control a running crawl.");
  table.word(options::text(arguments.socket, "SOCKET"),
             "the socket of the crawl: crawl --control SOCKET");
  table.optional_words(options::texts(arguments.words, "WORDS"),
                       "a command for the crawl: pause, add URL, ...");
  table.flag("once", arguments.is_once, "print the state once and exit; the default in a pipe");
  table.flag("json", arguments.is_json, "print the state as JSON");
  table.flag("stacks", arguments.has_stacks, "show what each fetch waits for");
  table.option("interval", options::duration(arguments.interval), "update after this time");
  table.footer(kTopFooter);
}

int report(const Error& error) {
  static_cast<void>(usage_error(kTopCommand, error.message()));
  return error == Errc::denied ? int{kFailed} : exit_code_for(error);
}

// BORROWS: the client.
async::Task<Result<void>> steer(run::ControlClient& client, run::ControlRequest request) {
  auto line = co_await client.ask(std::move(request));
  if (!line) co_return fail(std::move(line).error());
  auto done = run::parse_reply(*line);
  if (!done) co_return fail(std::move(done).error());
  // A reply that only carries data is JSON, which another program may read.
  terminal::print_out(
      "{}\n", done->empty() ? base::escape_for_terminal(*line) : terminal::plain_text(*done));
  co_return {};
}

// BORROWS: the client.
async::Task<Result<void>> print_snapshot(run::ControlClient& client, bool is_json,
                                         bool has_stacks) {
  auto status_line = co_await client.ask({.kind = run::ControlRequest::Kind::status});
  if (!status_line) co_return fail(std::move(status_line).error());
  auto fetches_line = co_await client.ask(
      {.kind = run::ControlRequest::Kind::fetches, .number = kFetchesInSnapshot});
  if (!fetches_line) co_return fail(std::move(fetches_line).error());
  const auto status = run::parse_status(*status_line);
  if (!status) co_return fail(status.error().copy());
  const auto fetches = run::parse_fetches(*fetches_line);
  if (!fetches) co_return fail(fetches.error().copy());
  if (is_json) {
    terminal::print_out("{{\"status\":{},\"in_flight\":{}}}\n", to_json(*status),
                        to_json(*fetches));
  } else {
    terminal::print_out("{}", display::to_text(*status, *fetches, has_stacks));
  }
  co_return {};
}

// The live view.
class TopView {
 public:
  // BORROWS: both.
  TopView(async::Loop& loop, run::ControlClient& client, Duration interval)
      : loop_(loop), client_(client), interval_(interval) {}

  // Until the user leaves or the crawl ends. BORROWS: this.
  async::Task<Result<void>> run() {
    auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM, SIGHUP}, [this](int) {
      is_ended_ = true;
      woken_.set();
    });
    if (!signals) co_return fail(std::move(signals).error());
    auto resized = async::SignalWatch::make(loop_, {SIGWINCH}, [this](int) { draw(); });
    if (!resized) co_return fail(std::move(resized).error());
    const async::WatchHandle keys =
        loop_.watch(terminal::FullScreen::key_descriptor(), async::Readiness::readable,
                    [this](async::Readiness) { take_keys(); });
    for (;;) {
      if (auto done = co_await look(); !done) co_return done;
      if (is_ended_ || view_.is_left()) co_return {};
      draw();
      static_cast<void>(co_await async::with_timeout(interval_, wait()));
      woken_.clear();
    }
  }

 private:
  async::Task<Result<void>> wait() { co_return co_await woken_.wait(); }

  void take_keys() {
    const std::string keys = terminal::FullScreen::read_keys();
    if (keys.empty()) is_ended_ = true;
    for (run::ControlRequest& request : view_.press(keys)) wanted_.push_back(std::move(request));
    draw();
    if (is_ended_ || view_.is_left() || !wanted_.empty()) woken_.set();
  }

  void draw() { terminal_.draw(view_.lines(terminal_.screen())); }

  async::Task<Result<void>> look() {
    for (run::ControlRequest& request : std::exchange(wanted_, {})) {
      auto line = co_await client_.ask(std::move(request));
      if (!line) co_return fail(std::move(line).error());
      auto done = run::parse_reply(*line);
      view_.note(done ? std::move(*done) : std::string(done.error().detail()));
    }
    auto status_line = co_await client_.ask({.kind = run::ControlRequest::Kind::status});
    if (!status_line) co_return fail(std::move(status_line).error());
    auto fetches_line =
        co_await client_.ask({.kind = run::ControlRequest::Kind::fetches, .number = kFetchesShown});
    if (!fetches_line) co_return fail(std::move(fetches_line).error());
    auto status = run::parse_status(*status_line);
    if (!status) co_return fail(std::move(status).error());
    auto fetches = run::parse_fetches(*fetches_line);
    if (!fetches) co_return fail(std::move(fetches).error());
    view_.update(std::move(*status), std::move(*fetches));
    co_return {};
  }

  async::Loop& loop_;
  run::ControlClient& client_;
  const Duration interval_;
  terminal::FullScreen terminal_;
  display::TopScreen view_;
  std::vector<run::ControlRequest> wanted_;
  async::Event woken_;
  bool is_ended_ = false;
};

// BORROWS: the loop.
async::Task<Result<void>> run(async::Loop& loop, TopArguments arguments,
                              std::optional<run::ControlRequest> request) {
  auto client = run::ControlClient::connect(arguments.socket);
  if (!client) co_return fail(std::move(client).error());
  if (request) co_return co_await steer(*client, std::move(*request));
  if (arguments.is_once || arguments.is_json || !terminal::FullScreen::is_possible()) {
    co_return co_await print_snapshot(*client, arguments.is_json, arguments.has_stacks);
  }
  Result<void> seen = {};
  {
    TopView view(loop, *client, arguments.interval);
    seen = co_await view.run();
  }
  const bool has_ended =
      !seen && (seen.error() == Errc::peer_closed || seen.error() == Errc::reset);
  if (!has_ended) co_return seen;
  terminal::print_out("the crawl has ended\n");
  co_return {};
}

int run_top(TopArguments& arguments) {
  std::optional<run::ControlRequest> request;
  if (!arguments.words.empty()) {
    auto wanted = run::control_request_of(arguments.words);
    if (!wanted) return usage_error(kTopCommand, wanted.error().detail());
    request = std::move(*wanted);
  }
  async::Loop loop;
  const auto done = loop.run(run(loop, std::move(arguments), std::move(request)));
  return done ? int{kOk} : report(done.error());
}

}  // namespace

constinit const Command top_command = command_of<declare_top, run_top>(
    kTopCommand, "SOCKET [pause|add URL|...]", "watch and control a running crawl");

}  // namespace gossamer::cli

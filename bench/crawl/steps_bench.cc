// Measures how long one page blocks the event loop: pages of 64 MB and of many shapes, read by the
// engine in a simulated world. It uses the CPU time of the thread, so a busy machine does not
// matter.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/step_pages.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/simulated_machine.h"

namespace gossamer::bench {
namespace {

constexpr double kStepMsMax = 50;
// If a step is longer, all are measured again: the machine may have disturbed it.
constexpr double kStepMsSure = 15;
constexpr int kRunsMax = 4;
constexpr std::size_t kStepPageBytes = 64 * 1024 * 1024;
constexpr std::size_t kQuickPageBytes = 1024 * 1024;
constexpr std::size_t kSendBytes = 64 * 1024;
// Shorter steps belong to the network and say nothing about reading.
constexpr double kStepMsMin = 0.1;

struct StepCost {
  double longest_ms = 0;
  double median_ms = 0;
};

// A host with one page to measure.
class StepHost {
 public:
  explicit StepHost(StepPage page) : page_(std::move(page)) {
    path_ = page_.url.substr(page_.url.find('/', sizeof("http://")));
    head_ = "HTTP/1.1 200 OK\r\n" + page_.fields;
    if (!head_.contains("chunked"))
      head_ += fmt::format("Content-Length: {}\r\n", page_.body.size());
    head_ += "\r\n";
  }

  const StepPage& page() const { return page_; }

  // BORROWS: the host.
  async::Task<Result<void>> serve(async::Endpoint address) const {
    auto listener = async::Listener::bind(address);
    if (!listener) co_return fail(std::move(listener).error());
    async::Scope connections(async::OnFailure::keep_going);
    while (auto socket = co_await listener->accept()) connections.spawn(answer(std::move(*socket)));
    connections.cancel();
    co_return co_await connections.join();
  }

 private:
  // BORROWS: the host.
  async::Task<Result<void>> answer(async::Socket socket) const {
    std::string heard;
    for (;;) {
      {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        heard += as_text(lent->bytes());
      }
      if (!heard.ends_with("\r\n\r\n")) continue;
      const bool is_page = heard.starts_with("GET " + path_ + " ");
      const bool is_root = heard.starts_with("GET / ");
      heard.clear();
      std::string_view rest = is_page ? page_.body : std::string_view();
      const std::string_view head = is_page ? head_ : is_root ? kNothing : kMissing;
      if (auto sent = co_await socket.send(as_bytes(head)); !sent) co_return sent;
      while (!rest.empty()) {
        const std::string_view piece = rest.substr(0, kSendBytes);
        if (auto sent = co_await socket.send(as_bytes(piece)); !sent) co_return sent;
        rest.remove_prefix(piece.size());
      }
    }
  }

  static constexpr std::string_view kNothing = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  static constexpr std::string_view kMissing = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";

  StepPage page_;
  std::string path_;
  std::string head_;
};

class StepSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    bytes_ += page.record.wire_bytes;
    co_return {};
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
};

run::CrawlSettings step_settings(const StepPage& page) {
  run::CrawlSettings settings("http://a.example/");
  settings.scope.assets = true;
  settings.reads_sitemaps = page.url != settings.roots[0];
  settings.keeps_captures = settings.keeps_outlinks = settings.keeps_validators = true;
  settings.web.client.keep_request = true;
  settings.web.guard.allow_private = true;
  settings.pages_max = settings.reads_sitemaps ? 2 : 1;
  return settings;
}

// BORROWS: all.
async::Task<void> crawl_host(const StepHost& host, sim::World& world, StepSink& sink) {
  sim::NamedHosts names(1);
  const async::Endpoint address = async::Endpoint::v4(10, 0, 0, 1, 80);
  names.add("a.example", address);
  async::Scope servers(async::OnFailure::keep_going);
  servers.spawn(host.serve(address));
  support::SimulatedStorage storage(world.driver().disk());
  support::SimulatedMachine machine(storage, names, 1, {.seconds = 1'700'000'000});
  const auto done = co_await crawl_once(step_settings(host.page()), sink, machine);
  CHECK(done.has_value(), "{}", done.error().to_string());
  servers.cancel();
  static_cast<void>(co_await servers.join());
}

// The duration of every step, in milliseconds.
std::vector<double> steps_of(const StepHost& host) {
  sim::SimOptions options = sim::calm_options();
  // Many pieces arrive without a wait, as from a kernel that has received them all.
  options.network.segment_bytes = {kSendBytes, kSendBytes};
  options.network.window_bytes = {2 * 1024 * 1024, 2 * 1024 * 1024};
  sim::World world(options);
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  StepSink sink;
  auto task = root.spawn(crawl_host(host, world, sink));
  std::vector<double> steps;
  while (!task.done()) {
    const double before = process_cpu_ns();
    CHECK(world.loop().step());
    steps.push_back((process_cpu_ns() - before) / 1e6);
  }
  CHECK(sink.bytes() > 0, "{} was not read", host.page().name);
  return steps;
}

StepCost measure_steps(const StepPageKind& kind, std::size_t bytes) {
  const StepHost host(kind.make(kind, bytes));
  std::vector<double> steps = steps_of(host);
  // The world is simulated, so a step does the same in every run. Other work on the machine can
  // only make it longer, so the shortest run of each step counts.
  for (int i = 1; i < kRunsMax && std::ranges::max(steps) > kStepMsSure; ++i) {
    const std::vector<double> again = steps_of(host);
    CHECK(again.size() == steps.size(), "{} steps, then {}", steps.size(), again.size());
    std::ranges::transform(steps, again, steps.begin(),
                           [](double one, double other) { return std::min(one, other); });
  }
  StepCost cost = {.longest_ms = std::ranges::max(steps)};
  std::erase_if(steps, [](double took_ms) { return took_ms < kStepMsMin; });
  cost.median_ms = steps.empty() ? cost.longest_ms : median(std::move(steps));
  return cost;
}

}  // namespace

void steps(const Options& options, Report& report) {
  const std::size_t bytes = options.quick ? kQuickPageBytes : kStepPageBytes;
  report.heading(fmt::format(
      "steps: the longest step of the loop while it reads a page of {} MB, beside the median step",
      bytes >> 20));
  for (const StepPageKind& kind : step_page_kinds()) {
    const StepCost cost = measure_in_child([&] { return measure_steps(kind, bytes); });
    report.add({.name = "steps: " + kind.name,
                .value = cost.longest_ms,
                .unit = "ms",
                .floor = cost.median_ms,
                .target = kStepMsMax});
  }
}

}  // namespace gossamer::bench

// Measures TLS in a crawl of many hosts, and the savings from reused connections and sessions: CPU
// per page of the whole crawl, user and system, on one thread. The contestants take turns.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "async/descriptor_limit.h"
#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/tls_machine.h"
#include "bench/crawl/tls_site.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "net/tls_context.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"

namespace gossamer::bench {
namespace {

constexpr double kTimesMin = 5;
constexpr std::size_t kTlsHosts = 1000;
constexpr std::uint32_t kTlsAtOnce = 64;

struct Manner {
  std::string_view name;
  bool keeps_connections;
  bool keeps_sessions;  // of an earlier crawl
};

constexpr std::array<Manner, 4> kManners = {{
    {"a handshake for each page", false, false},
    {"a resumed handshake for each page", false, true},
    {"kept alive, a handshake for each host", true, false},
    {"kept alive, a resumed handshake for each host", true, true},
}};
constexpr std::size_t kWorst = 0;
constexpr std::size_t kBest = 3;

std::shared_ptr<net::TlsContext> make_context(const TlsSite& site, const Manner& manner) {
  auto context =
      net::TlsContext::make({.trust_system = false,
                             .ca_file = site.authority_file(),
                             .session_origins_max = manner.keeps_sessions ? kTlsHosts : 0});
  CHECK(context.has_value(), "{}", context.error().to_string());
  return std::move(*context);
}

// A whole crawl. BORROWS: all.
async::Task<Result<void>> crawl_site(const TlsSite& site, const Manner& manner,
                                     run::Machine& machine) {
  run::CrawlSettings settings;
  settings.roots = site.roots();
  settings.concurrency = kTlsAtOnce;
  if (!manner.keeps_connections) settings.web.client.pool.idle_max = Duration::zero();
  CountingSink sink;
  if (auto done = co_await crawl_once(std::move(settings), sink, machine); !done) co_return done;
  CHECK(sink.answered() == site.pages(), "{} pages instead of {}", sink.answered(), site.pages());
  co_return {};
}

// BORROWS: all.
async::Task<Result<void>> measure(const TlsSite& site, const Manner& manner, double& us_each) {
  const auto context = make_context(site, manner);
  TlsMachine machine(context);
  if (manner.keeps_sessions) {
    if (auto done = co_await crawl_site(site, manner, machine); !done) co_return done;
    CHECK(context->session_origins() == site.hosts());
  }
  const CpuTime begin = process_cpu_time();
  if (auto done = co_await crawl_site(site, manner, machine); !done) co_return done;
  us_each = (process_cpu_time() - begin).total_us() / static_cast<double>(site.pages());
  co_return {};
}

}  // namespace

void tls(const Options& options, Report& report) {
  if (!TlsSite::can_be_had()) {
    report.heading("tls: skipped, nginx or openssl is not installed");
    return;
  }
  const TlsSite site(options.quick ? kTlsHosts / 10 : kTlsHosts);
  const auto samples = in_turns(1, kManners.size(), [&](std::size_t i) {
    return measure_in_child([&] {
      async::raise_descriptor_limit();
      double us_each = 0;
      run_on(async::DriverKind::automatic, measure(site, kManners[i], us_each));
      return us_each;
    });
  });
  const double worst = median(samples[kWorst]);
  const double best = median(samples[kBest]);
  report.heading(fmt::format(
      "tls: {} hosts of {} pages; pages per CPU second: {:.0f} with a handshake each, {:.0f} with "
      "all that can be kept, {:.1f} times as many",
      site.hosts(), TlsSite::kPagesPerHost, 1e6 / worst, 1e6 / best, worst / best));
  for (std::size_t i = 0; i < kManners.size(); ++i) {
    report.add({.name = fmt::format("tls: CPU per page, {}", kManners[i].name),
                .value = median(samples[i]),
                .unit = "us"});
  }
  report.add({.name = "tls: all kept, of a handshake for each page",
              .value = best / worst,
              .unit = "",
              .target = 1 / kTimesMin});
}

}  // namespace gossamer::bench

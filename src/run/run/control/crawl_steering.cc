#include "run/control/crawl_steering.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/timeout.h"
#include "base/version.h"
#include "engine/setup/options.h"
#include "url/secrets.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

// A loop that does not answer in this time is omitted.
constexpr Duration kLoopPatience = 1s;

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

FetchList fetches_of(const crawler::Engine& engine, std::size_t loop, std::size_t count_max) {
  FetchList list = {.total = engine.in_flight(), .fetches = {}};
  for (const crawler::FetchFacts& fetch : engine.fetches(count_max)) {
    list.fetches.push_back({.url = fetch.url,
                            .host = fetch.host,
                            .stage = std::string(fetch.stage),
                            .age = fetch.age,
                            .bytes = fetch.bytes,
                            .tries = fetch.tries,
                            .loop = loop,
                            .stack = lines_in(fetch.stack)});
  }
  return list;
}

void add_to(FetchList& all, FetchList more) {
  all.total += more.total;
  std::ranges::move(more.fetches, std::back_inserter(all.fetches));
}

// Reads a host from the user: a name, or the URL of a page.
Result<std::string> hostname_of(const std::string& text) {
  auto url = crawler::parse_root(text);
  if (!url) return fail(Errc::invalid_argument, "'" + text + "' is not a host");
  return std::string(url->hostname());
}

}  // namespace

struct CrawlSteering::Collection {
  FetchList list;
  std::size_t missing = 0;
  async::Event is_whole;
};

async::Task<Result<void>> CrawlSteering::wait_for(std::shared_ptr<Collection> collection) {
  co_return co_await collection->is_whole.wait();
}

CrawlSteering::CrawlSteering(crawler::Engine& engine, crawler::Shards* shards, Session session)
    : engine_(engine),
      shards_(shards),
      session_(std::move(session)),
      concurrency_(std::uint64_t{engine.settings().concurrency} * loops()) {}

template <class Change>
void CrawlSteering::with_each(Change change) {
  change(engine_, std::size_t{0});
  for (std::size_t i = 1; i < loops(); ++i) {
    (*shards_)[i].post_to_engine([change, i](crawler::Engine& engine) { change(engine, i); });
  }
}

std::string CrawlSteering::status() {
  CrawlProgress status = session_.status();
  const crawler::Settings& settings = engine_.settings();
  status.version = base::kVersion;
  status.process = static_cast<std::uint64_t>(getpid());
  status.concurrency = concurrency_;
  status.threads = loops();
  if (settings.global_gap > Duration::zero()) status.global_gap = settings.global_gap;
  status.delay = settings.politeness.delay;
  return to_json(status);
}

std::string CrawlSteering::set_concurrency(std::uint32_t concurrency) {
  const auto count = static_cast<std::uint32_t>(loops());
  concurrency = std::max(concurrency, count);  // each loop needs at least one
  concurrency_ = concurrency;
  with_each([concurrency, count](crawler::Engine& engine, std::size_t i) {
    engine.set_concurrency(concurrency / count + (i < concurrency % count ? 1 : 0));
  });
  return done_reply(fmt::format("concurrency {}", concurrency));
}

std::string CrawlSteering::add(const std::string& text) {
  const auto url = crawler::parse_root(text);
  if (!url) return error_reply(url.error().detail());
  const auto verdict = engine_.add_root(*url);
  if (!verdict) return error_reply("the crawl is ending");
  using Verdict = crawler::Verdict;
  switch (*verdict) {
    case Verdict::added:
      return done_reply("added " + std::string(url::strip_credentials(*url).without_fragment()));
    case Verdict::seen: return done_reply("already known");
    case Verdict::refused:
      return error_reply("skipped; the skipped URLs of the crawl show the reason");
    case Verdict::closed:
      return error_reply("this host is closed: no more URLs are fetched from it");
  }
  return {};
}

std::string CrawlSteering::block(const std::string& text) {
  auto host = hostname_of(text);
  if (!host) return error_reply(host.error().detail());
  // In a shared crawl, any loop may lease the host.
  with_each([host = *host](crawler::Engine& engine, std::size_t) { engine.block_host(host); });
  return done_reply("blocked " + *host);
}

std::string CrawlSteering::unblock(const std::string& text) {
  auto host = hostname_of(text);
  if (!host) return error_reply(host.error().detail());
  if (!engine_.is_blocked(*host)) return error_reply("this host is not blocked: " + *host);
  with_each([host = *host](crawler::Engine& engine, std::size_t) { engine.unblock_host(host); });
  return done_reply("unblocked " + *host);
}

std::string CrawlSteering::exclude(const std::string& pattern) {
  // The first loop checks the pattern for all of them.
  if (auto done = engine_.exclude(pattern); !done) return error_reply(done.error().detail());
  for (std::size_t i = 1; i < loops(); ++i) {
    (*shards_)[i].post_to_engine(
        [pattern](crawler::Engine& engine) { static_cast<void>(engine.exclude(pattern)); });
  }
  return done_reply("excluded " + pattern);
}

std::string CrawlSteering::unexclude(const std::string& pattern) {
  if (auto done = engine_.unexclude(pattern); !done) return error_reply(done.error().detail());
  for (std::size_t i = 1; i < loops(); ++i) {
    (*shards_)[i].post_to_engine(
        [pattern](crawler::Engine& engine) { static_cast<void>(engine.unexclude(pattern)); });
  }
  return done_reply("no longer excludes " + pattern);
}

std::string CrawlSteering::change(const ControlRequest& request) {
  using Action = ControlRequest::Kind;
  const std::optional<Duration> time = request.time;
  switch (request.kind) {
    case Action::pause:
      with_each([](crawler::Engine& engine, std::size_t) { engine.pause(); });
      return done_reply("paused");
    case Action::resume:
      with_each([](crawler::Engine& engine, std::size_t) { engine.resume(); });
      return done_reply("resumed");
    case Action::rate:
      with_each([time](crawler::Engine& engine, std::size_t) {
        engine.set_global_gap(time.value_or(Duration::zero()));
      });
      return done_reply("rate " + rate_text(time));
    case Action::delay:
      with_each([time](crawler::Engine& engine, std::size_t) { engine.set_delay(time); });
      return done_reply("delay " + delay_text(time));
    case Action::concurrency: return set_concurrency(request.number);
    case Action::add: return add(request.text);
    case Action::block: return block(request.text);
    case Action::unblock: return unblock(request.text);
    case Action::exclude: return exclude(request.text);
    case Action::unexclude: return unexclude(request.text);
    case Action::stop: session_.stop(); return done_reply("stopping");
    case Action::abort: session_.abort(); return done_reply("aborting");
    case Action::status:
    case Action::fetches: break;
  }
  return status();
}

async::Task<std::string> CrawlSteering::fetches(std::uint32_t count) {
  const auto all = std::make_shared<Collection>();
  all->list = fetches_of(engine_, 0, count);
  all->missing = loops() - 1;
  for (std::size_t i = 1; i < loops(); ++i) {
    // Runs on the other loop and posts the result back.
    (*shards_)[i].post_to_engine([all, i, count, first = &(*shards_)[0]](crawler::Engine& engine) {
      first->post([all, part = fetches_of(engine, i, count)]() mutable {
        add_to(all->list, std::move(part));
        if (--all->missing == 0) all->is_whole.set();
      });
    });
  }
  if (all->missing > 0) {
    static_cast<void>(co_await async::with_timeout(kLoopPatience, wait_for(all)));
  }
  FetchList list = all->list;
  std::ranges::sort(list.fetches, std::ranges::greater(), &FetchLine::age);
  if (list.fetches.size() > count) list.fetches.resize(count);
  co_return to_json(list);
}

async::Task<std::string> CrawlSteering::answer(ControlRequest request) {
  using Kind = ControlRequest::Kind;
  if (request.kind == Kind::fetches) co_return co_await fetches(request.number);
  const bool undoes_rule = request.kind == Kind::unblock || request.kind == Kind::unexclude;
  if (undoes_rule && session_.keep) {
    // First of all, so that the user can repeat it.
    if (auto removed = session_.keep(request); !removed) {
      co_return error_reply("not done, because the directory cannot be changed: " +
                            removed.error().message());
    }
  }
  std::string reply = change(request);
  const bool is_rule = request.kind == Kind::block || request.kind == Kind::exclude;
  if (!is_rule || !session_.keep || !parse_reply(reply)) co_return reply;
  if (auto stored = session_.keep(request); !stored) {
    co_return error_reply("this run does it, but it is not stored: " + stored.error().message());
  }
  co_return reply;
}

bool undoes(const ControlRequest& later, const ControlRequest& earlier) {
  using Kind = ControlRequest::Kind;
  if (later.kind == Kind::unexclude) {
    return earlier.kind == Kind::exclude && earlier.text == later.text;
  }
  if (later.kind != Kind::unblock || earlier.kind != Kind::block) return false;
  const auto host = hostname_of(later.text);
  const auto blocked = hostname_of(earlier.text);
  return host && blocked && *host == *blocked;
}

}  // namespace gossamer::run

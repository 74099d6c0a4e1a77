// For tests of links: an intake and its frontier in a simulated world, without any request.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "engine/page/link_intake.h"
#include "engine/page/page_links.h"
#include "engine/page/page_reading.h"
#include "engine/page/peers.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "frontier/backlog.h"
#include "frontier/frontier.h"
#include "tests/support/frontier_test_case.h"

namespace gossamer::crawler {

// Keeps the targets in memory, with the counts that are stored with them.
class CountingBacklog final : public Backlog {
 public:
  void recall(Recall recall) override {
    for (const std::uint64_t fingerprint : seen) recall.seen(fingerprint);
    for (const StoredCount& count : counts) recall.count(count);
  }
  Stored add(std::string_view, std::optional<std::uint64_t> fingerprint, const Target&,
             std::uint32_t, std::span<const StoredCount> changed) override {
    if (fingerprint) seen.push_back(*fingerprint);
    last.assign(changed.begin(), changed.end());
    counts.insert(counts.end(), changed.begin(), changed.end());
    return {.ticket = ++last_ticket};
  }
  More more(std::string_view) override { return {}; }
  void put_away(std::string_view, std::optional<std::uint64_t>, const Target&, std::uint32_t,
                std::span<const StoredCount>) override {}
  TakenIn take_in(std::uint32_t, std::uint32_t, std::size_t) override { return {}; }
  bool can_let_go(std::string_view, std::size_t) override { return false; }
  void let_go(std::string_view, std::span<const std::uint64_t>) override {}
  void note_linked(std::string_view origin, std::uint64_t) override { linked.emplace_back(origin); }
  std::uint64_t send(std::optional<std::uint64_t>, const Target&) override { return ++last_ticket; }
  void end(std::uint64_t) override {}
  void note_host(std::string_view, const PaceMemory&) override {}
  void note_rules(std::string_view, std::string_view, Instant) override {}
  std::optional<PaceMemory> pace_of(std::string_view) override { return std::nullopt; }
  std::optional<StoredRules> rules_of(std::string_view) override { return std::nullopt; }
  void commit() override {}

  std::vector<std::uint64_t> seen;
  std::vector<StoredCount> counts;
  std::vector<StoredCount> last;    // with the last target
  std::vector<std::string> linked;  // the origins of guesses that are links, too
  std::uint64_t last_ticket = 0;
};

// Keeps what an intake reports.
class LinkEvents final : public EngineEvents {
 public:
  struct Skip {
    std::string url;
    SkipReason reason;
    std::string via;
    std::uint32_t depth;
    std::string detail;
  };

  void on_skip(const SkippedUrl& skipped) override {
    skips.push_back({.url = std::string(skipped.url),
                     .reason = skipped.reason,
                     .via = std::string(skipped.via),
                     .depth = skipped.depth,
                     .detail = skipped.detail});
  }
  void on_drop(Target target, const OriginEnd&) override { drops.push_back(std::move(target)); }
  void on_parked(std::string_view) override {}
  void on_cut(const Target&) override {}
  void on_record(const FetchRecord&) override {}
  void on_received(std::uint64_t) override {}
  void on_unrecorded(std::uint64_t) override {}
  async::Task<Result<void>> on_shortage() override { co_return {}; }

  // The reason why a URL was skipped; none: it was not.
  SkipReason reason_of(std::string_view url) const {
    for (const Skip& skip : skips) {
      if (skip.url == url) return skip.reason;
    }
    return SkipReason::none;
  }

  std::vector<Skip> skips;
  std::vector<Target> drops;
};

// Loops of the same crawl. They own all hosts but a.example.
class OtherLoops final : public Peers {
 public:
  std::optional<Verdict> send(const url::Url& url, std::uint64_t, const Target& facts) override {
    if (url.hostname() == "a.example") return std::nullopt;
    for (const Target& target : sent) {
      if (target.url == url.href() && target.purpose == facts.purpose) return Verdict::seen;
    }
    sent.push_back(facts);
    sent.back().url = url.href();
    return Verdict::added;
  }
  bool send_refused(std::string_view url, std::uint64_t, SkipReason, const Target&,
                    std::string_view) override {
    if (url.starts_with("http://a.example/")) return false;
    refused.emplace_back(url);
    return true;
  }
  bool is_own(const url::Url&) override { return true; }
  void widen(const url::Url& root) override { widened.emplace_back(root.href()); }
  void has_begun() override {}
  bool hold_open() override { return true; }
  void let_go() override {}
  void stop(EndReason) override {}
  std::uint64_t add_wire_bytes(std::uint64_t bytes) override { return bytes; }

  std::vector<Target> sent;
  std::vector<std::string> refused;
  std::vector<std::string> widened;
};

class LinkTest : public testing::Test {
 protected:
  static constexpr std::string_view kHome = "http://a.example/";

  // Set the options and the hooks before the first call.
  LinkIntake& intake() {
    if (!intake_) {
      frontier.emplace(world.loop(), queue_options, nullptr,
                       FrontierSource{.backlog = backlog ? &*backlog : nullptr});
      intake_.emplace(options, hooks, *frontier, LinkIntake::Setting{.this_year = 2026, .salt = 1},
                      &events, peers);
      intake_->recall(frontier->take_counts());
    }
    return *intake_;
  }
  // Continues the crawl in another process. REQUIRES: a backlog.
  void start_again() {
    intake_.reset();
    frontier.reset();
    events = {};
    intake().add_root(url_of(kHome));
  }
  static url::Url url_of(std::string_view text) { return url::Url::parse(text).value(); }
  static Target found(Purpose purpose = Purpose::page, std::uint16_t depth = 1) {
    Target facts;
    facts.purpose = purpose;
    facts.depth = depth;
    facts.via = Referrer(std::string(kHome));
    return facts;
  }
  Verdict add(std::string_view url, const Target& facts = found()) {
    return intake().add(url_of(url), facts);
  }
  // Why a new URL is skipped; none: it is added.
  SkipReason judge(std::string_view url, const Target& facts = found()) {
    const Verdict verdict = add(url, facts);
    const SkipReason reason = events.reason_of(url);
    EXPECT_EQ(verdict == Verdict::added, reason == SkipReason::none) << url;
    return reason;
  }
  // The targets that are queued, in the order in which they are fetched.
  std::vector<Target> take_all() {
    std::vector<Target> targets;
    frontier->close();
    frontier->drain([&targets](Target target) { targets.push_back(std::move(target)); });
    return targets;
  }
  std::vector<std::string> urls_of_all() {
    std::vector<std::string> urls;
    for (Target& target : take_all()) urls.push_back(std::move(target.url));
    return urls;
  }

  // Adds the links of a page that is at `url`.
  PageLinks::Counts add_links(std::string_view url, std::string_view body,
                              BodyKind kind = BodyKind::html, Target from = {}) {
    const url::Url page = url_of(url);
    PageReading reading(options.scope.links_per_page_max);
    read(reading, url, body, kind, from);
    PageLinks links(intake(), reading, page, from, refused);
    steps = 1;
    while (!links.add_some()) ++steps;
    return links.counts();
  }
  void read(PageReading& reading, std::string_view url, std::string_view body, BodyKind kind,
            Target& from) {
    if (options.avoids_logout) reading.keep_anchor_texts();
    if (options.mines_scripts) reading.mine_scripts();
    from.url = url;
    reading.begin(kind, charset, "gossamer");
    reading.begin_series(intake().series_key(from));
    reading.feed(as_bytes(body));
    reading.finish();
  }

  sim::World world{sim::calm_options()};
  Options options;
  Hooks hooks;
  std::string_view charset = "utf-8";  // of pages
  std::optional<SkipReason> refused;   // why no link of a page is followed
  std::size_t steps = 0;               // of the last page
  std::optional<CountingBacklog> backlog;
  LinkEvents events;
  Peers* peers = nullptr;
  FrontierOptions queue_options = free_options();
  std::optional<Frontier> frontier;

 private:
  std::optional<LinkIntake> intake_;
};

}  // namespace gossamer::crawler

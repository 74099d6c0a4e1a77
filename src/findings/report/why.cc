#include "report/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/edit_distance.h"
#include "base/escape.h"
#include "report/phrases.h"

namespace gossamer::report {
namespace {

using Id = LinkGraph::Id;
constexpr Id kNone = LinkGraph::kNone;

// Longer URLs are not compared by edit distance.
constexpr std::size_t kComparedBytesMax = 500;

std::string shown(std::string_view text) { return base::escape_for_terminal(text); }

void add_line(std::string& text, std::string_view label, std::string_view line) {
  fmt::format_to(std::back_inserter(text), "  {:<14}{}\n", label, line);
}

// Describes how one page led to the other.
std::string describe_step(const LinkGraph& graph, Id from, Id to) {
  if (from != kNone && graph[from].next == to) {
    return fmt::format("redirects ({}) to", graph[from].status);
  }
  const LinkGraph::Node& node = graph[to];
  return node.is_listed && node.links == 0 ? "is a sitemap that lists" : "links to";
}

}  // namespace

std::optional<std::uint64_t> Why::fingerprint(std::string_view url) {
  if (url.empty() || scratch_.assign(url) != url::UrlFailure::none) return std::nullopt;
  return identity_.fingerprint(scratch_);
}

void Why::ask(const url::Url& given) {
  const auto stripped = without_credentials(given);
  const url::Url& url = stripped ? *stripped : given;
  asked_.push_back(
      {.url = std::string(url.without_fragment()), .fingerprint = identity_.fingerprint(url)});
}

void Why::compare(Asked& asked, std::string_view url) {
  if (asked.is_met() || url.size() > kComparedBytesMax || asked.url.size() > kComparedBytesMax) {
    return;
  }
  auto& nearest = asked.nearest;
  const std::size_t longer = std::max(url.size(), asked.url.size());
  const std::size_t least = longer - std::min(url.size(), asked.url.size());
  const bool is_full = nearest.size() == kNearest;
  if (is_full && least >= nearest.back().first) return;
  const std::size_t distance = base::edit_distance(asked.url, url);
  if (distance > longer / 2 || (is_full && distance >= nearest.back().first)) return;
  if (std::ranges::any_of(nearest, [url](const auto& known) { return known.second == url; }))
    return;
  nearest.emplace_back(distance, url);
  std::ranges::sort(nearest);
  if (nearest.size() > kNearest) nearest.pop_back();
}

void Why::add(const crawler::FetchRecord& record) {
  if (asked_.empty()) return;
  const auto found = fingerprint(record.url);
  for (Asked& asked : asked_) {
    if (found != asked.fingerprint) {
      compare(asked, record.url);
      continue;
    }
    if (asked.visits.size() == kVisitsMax) continue;
    asked.visits.push_back({.status = record.status,
                            .error = std::string(record.error),
                            .error_detail = record.error_detail,
                            .mime = record.mime,
                            .next_url = record.next_url,
                            .via = record.via,
                            .title = record.title,
                            .duplicate_of = record.duplicate_of,
                            .bytes = record.bytes,
                            .depth = record.depth,
                            .tries = record.tries,
                            .took = record.facts.total});
  }
}

void Why::skip(const crawler::SkippedUrl& skipped) {
  if (asked_.empty() || skipped.reason == crawler::SkipReason::links_per_page) return;
  const auto found = fingerprint(skipped.url);
  for (Asked& asked : asked_) {
    if (found != asked.fingerprint) {
      compare(asked, skipped.url);
    } else if (!asked.refusal) {
      asked.refusal = {.reason = skipped.reason,
                       .detail = skipped.detail,
                       .via = std::string(skipped.via),
                       .depth = skipped.depth};
    }
  }
}

void Why::see_link(const crawler::FoundLink& link) {
  for (Asked& asked : asked_) {
    if (link.fingerprint != asked.fingerprint) continue;
    if (identity_.fingerprint(link.page) == asked.fingerprint) continue;  // a link to itself
    const std::string_view page = link.page.without_fragment();
    if (!asked.pages.empty() && asked.pages.back() == page) continue;
    asked.is_followed |= link.is_followed;
    ++asked.links;
    if (asked.pages.size() < kPagesShown) asked.pages.emplace_back(page);
  }
}

std::string Why::describe_visit(const Visit& visit) {
  std::string text;
  if (!visit.error.empty()) {
    text = fmt::format("fetching failed: {}", shown(visit.error));
    if (!visit.error_detail.empty()) text += fmt::format(" ({})", shown(visit.error_detail));
    if (visit.status) text += fmt::format(", after the status {}", *visit.status);
  } else if (visit.status) {
    text = fmt::format("{}: {} {}", *visit.status < 300 ? "fetched" : "answered", *visit.status,
                       status_phrase(*visit.status));
    if (!visit.mime.empty()) text += ", " + shown(visit.mime);
    text += fmt::format(", {}", byte_count(visit.bytes));
    if (visit.took > Duration::zero()) text += " in " + short_time(visit.took);
  }
  if (visit.tries > 1) text += fmt::format(", after {} tries", visit.tries);
  return text + fmt::format(", depth {}", visit.depth);
}

// Describes the path from the root.
std::string Why::describe_way(const Asked& asked, LinkGraph& graph) {
  const Id self = graph.add(asked.url);
  std::string_view before;
  if (!asked.visits.empty()) {
    before = asked.visits.front().via;
  } else if (asked.refusal) {
    before = asked.refusal->via;
  } else if (!asked.pages.empty()) {
    before = asked.pages.front();
  }
  if (before.empty()) return "it is a root";
  std::vector<Id> way = {self};
  std::unordered_set<Id> passed = {self};
  for (Id at = graph.add(before); at != kNone && passed.insert(at).second; at = graph[at].via) {
    way.push_back(at);
  }
  std::string text = shown(way.size() > 1 ? graph.url(way.back()) : before);
  for (std::size_t i = way.size() - 1; i-- > 0;) {
    const std::string step =
        way[i] == kNone ? "links to" : describe_step(graph, way[i + 1], way[i]);
    text += fmt::format("\n{:16}{} {}", "", step,
                        shown(way[i] == kNone ? asked.url : graph.url(way[i])));
  }
  return text;
}

std::string Why::answer(const Asked& asked, LinkGraph& graph) {
  std::string text = shown(asked.url) + "\n";
  if (!asked.is_met()) {
    add_line(text, "never found", "no page that was read links to it, and no sitemap lists it");
    for (const auto& [distance, url] : asked.nearest) {
      add_line(text, url == asked.nearest.front().second ? "nearest" : "", shown(url));
    }
    return text;
  }
  for (const Visit& visit : asked.visits) {
    add_line(text, "what", describe_visit(visit));
    if (!visit.next_url.empty()) add_line(text, "redirects to", shown(visit.next_url));
    if (!visit.title.empty()) add_line(text, "title", shown(visit.title));
    if (!visit.duplicate_of.empty()) add_line(text, "duplicate of", shown(visit.duplicate_of));
  }
  if (asked.visits.empty() && asked.refusal) {
    add_line(text, "not fetched",
             fmt::format("{}: {}", crawler::name(asked.refusal->reason),
                         describe(asked.refusal->reason)));
    if (!asked.refusal->detail.empty()) add_line(text, "because of", shown(asked.refusal->detail));
  } else if (asked.visits.empty()) {
    add_line(text, "not fetched",
             asked.is_followed ? "the crawl ended before it was fetched"
                               : "every link to it says not to follow it");
  }
  if (asked.links > 0) {
    for (std::size_t i = 0; i < asked.pages.size(); ++i) {
      add_line(text, i == 0 ? "found on" : "", shown(asked.pages[i]));
    }
    const std::uint64_t rest = asked.links - asked.pages.size();
    if (rest > 0) add_line(text, "", fmt::format("and {} more", grouped(rest)));
  }
  const std::string way = describe_way(asked, graph);
  if (!way.empty()) add_line(text, "path", way);
  return text;
}

bool Why::has_met_all() const {
  return std::ranges::all_of(asked_, [](const Asked& asked) { return asked.is_met(); });
}

std::string Why::answers(LinkGraph& graph) const {
  std::string text;
  for (const Asked& asked : asked_) text += answer(asked, graph);
  return text;
}

}  // namespace gossamer::report

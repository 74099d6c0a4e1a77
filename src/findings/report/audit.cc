#include "report/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/figures.h"
#include "base/hash.h"
#include "base/json.h"
#include "content/metadata.h"
#include "record/record_format.h"

namespace gossamer::report {
namespace {

template <class Small>
Small clamped(std::uint64_t number) {
  return static_cast<Small>(std::min<std::uint64_t>(number, std::numeric_limits<Small>::max()));
}

// Texts that differ only in the case of ASCII letters are the same. 0: there is no text.
std::uint64_t key_of(std::string_view text) {
  if (text.empty()) return 0;
  return std::max<std::uint64_t>(base::hash64(base::lower_case(text)), 1);
}

}  // namespace

std::string to_json(const AuditFinding& finding) {
  base::JsonLine line;
  line.text("url", finding.url).text("rule", name(finding.rule));
  if (finding.other.empty()) {
    line.null("other_url");
  } else {
    line.text("other_url", finding.other);
  }
  if (finding.detail.empty()) return line.null("detail").finish();
  return line.text("detail", finding.detail).finish();
}

std::string to_csv(const AuditFinding& finding) {
  std::string line;
  crawler::append_csv_cell(line, finding.url, true);
  line.append(",").append(name(finding.rule)).append(",");
  crawler::append_csv_cell(line, finding.other, true);
  line += ',';
  crawler::append_csv_cell(line, finding.detail, true);
  return line + "\r";
}

void Audit::add(const crawler::FetchRecord& record, Id id, LinkGraph& graph, TakeRoom take_room) {
  if (!is_audited(record)) return;
  if (id == LinkGraph::kNone || !take_room(kBytesPerPage)) {
    ++left_out_;
    return;
  }
  const content::Metadata& metadata = *record.metadata;
  const auto is_h1 = [](const content::Metadata::Heading& heading) { return heading.level == 1; };
  Page page = {
      .id = id,
      .title = key_of(record.title),
      .description = key_of(metadata.description),
      .images_without_alt = clamped<std::uint32_t>(metadata.images_without_alt),
      .title_characters = clamped<std::uint16_t>(count_characters(record.title)),
      .description_characters = clamped<std::uint16_t>(count_characters(metadata.description)),
      .h1s = clamped<std::uint16_t>(
          static_cast<std::uint64_t>(std::ranges::count_if(metadata.headings, is_h1))),
      .faults = faults_of_page(record),
      .is_noindex = is_noindex(record)};
  if (!metadata.canonical.empty()) {
    const Id canonical = graph.add(metadata.canonical);
    if (canonical != id) page.canonical = canonical;
  }
  page.has_all_translations = !metadata.is_truncated;
  for (const auto& translation : metadata.translations) {
    const std::size_t bytes = translation.url.size();
    const bool has_room = bytes <= url_bytes_left_ && take_room(kBytesPerTranslation);
    const Id to = has_room ? graph.add(translation.url) : LinkGraph::kNone;
    if (to == LinkGraph::kNone) {
      page.has_all_translations = false;
      break;
    }
    url_bytes_left_ -= bytes;
    if (to != id) translations_.push_back({id, to});
  }
  pages_.push_back(page);
}

// Finds the faults, with what it needs to look up. BORROWS: all.
class Audit::Judge {
 public:
  Judge(const Audit& audit, const LinkGraph& graph,
        std::move_only_function<bool(const AuditFinding&)>& use)
      : audit_(audit),
        graph_(graph),
        use_(use),
        translations_(audit.translations_),
        judged_(graph.size()) {
    std::ranges::sort(translations_);
    for (const Page& page : audit.pages_) {
      judged_[page.id] = page.has_all_translations;
      if (page.is_noindex || page.canonical != LinkGraph::kNone) continue;
      count(titles_, page.title, page.id);
      count(descriptions_, page.description, page.id);
    }
  }

  void run() {
    for (const Page& page : audit_.pages_) {
      if (!is_done_) judge(page);
    }
    if (!is_done_) judge_redirects();
    if (!is_done_) judge_sitemaps();
  }

 private:
  using CopyTable = std::unordered_map<std::uint64_t, Copies>;

  static void count(CopyTable& table, std::uint64_t key, Id id) {
    if (key == 0) return;
    Copies& copies = table[key];
    if (copies.pages++ == 0) {
      copies.first = id;
    } else if (copies.pages == 2) {
      copies.second = id;
    }
  }

  void tell(AuditRule rule, Id id, Id other, std::string detail) {
    if (is_done_) return;
    is_done_ = !use_({.rule = rule,
                      .url = std::string(graph_.url(id)),
                      .other = std::string(graph_.url(other)),
                      .detail = std::move(detail)});
  }

  static std::string detail_of(const Page& page, AuditRule rule) {
    switch (rule) {
      case AuditRule::title_long: return fmt::format("{} characters", page.title_characters);
      case AuditRule::description_long:
        return fmt::format("{} characters", page.description_characters);
      case AuditRule::title_short: return base::counted(page.title_characters, "character");
      case AuditRule::h1_several: return fmt::format("{} headings", page.h1s);
      case AuditRule::image_without_alt: return base::counted(page.images_without_alt, "image");
      default: return {};
    }
  }

  void judge(const Page& page) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(AuditRule::empty_without_scripts); ++i) {
      const auto rule = static_cast<AuditRule>(i);
      if (page.faults.has(rule)) tell(rule, page.id, LinkGraph::kNone, detail_of(page, rule));
    }
    if (page.is_noindex) {
      const bool is_listed = graph_[page.id].is_listed;
      return tell(is_listed ? AuditRule::noindex_in_sitemap : AuditRule::noindex, page.id,
                  LinkGraph::kNone, {});
    }
    judge_canonical(page);
    if (page.canonical == LinkGraph::kNone) {
      judge_copies(AuditRule::title_duplicate, titles_, page.title, page.id);
      judge_copies(AuditRule::description_duplicate, descriptions_, page.description, page.id);
      judge_translations(page.id);  // those of a copy lead back to the original
    }
  }

  void judge_copies(AuditRule rule, const CopyTable& table, std::uint64_t key, Id id) {
    const auto found = table.find(key);
    if (key == 0 || found == table.end() || found->second.pages < 2) return;
    const Copies& copies = found->second;
    tell(rule, id, copies.first == id ? copies.second : copies.first,
         fmt::format("{} pages have it", base::grouped(copies.pages)));
  }

  void judge_canonical(const Page& page) {
    if (page.canonical == LinkGraph::kNone) return;
    const LinkGraph::Node& target = graph_[page.canonical];
    std::string detail;
    if (target.status >= 300 && target.status != 304) {
      detail = fmt::format("status {}", target.status);
    } else if (target.has_failed) {
      detail = "no answer";
    }
    const bool is_broken = !detail.empty();
    tell(is_broken ? AuditRule::canonical_broken : AuditRule::canonical_elsewhere, page.id,
         page.canonical, std::move(detail));
  }

  // A translation that was not fetched, or whose list is not complete, may link back.
  void judge_translations(Id id) {
    Id last = LinkGraph::kNone;
    for (auto at = std::ranges::lower_bound(translations_, Translation{id, 0});
         at != translations_.end() && at->from == id; ++at) {
      if (at->to == std::exchange(last, at->to) || !judged_[at->to]) continue;
      if (std::ranges::binary_search(translations_, Translation{at->to, id})) continue;
      tell(AuditRule::hreflang_no_return, id, at->to, {});
    }
  }

  void judge_redirects() {
    const RedirectWays ways(graph_);
    for (const Id id : redirect_starts(graph_)) {
      if (is_done_) return;
      if (ways[id].hops < 2) continue;
      tell(AuditRule::redirect_chain, id, ways[id].end,
           fmt::format("{} redirects{}", base::grouped(ways[id].hops),
                       ways[id].is_circle ? ", a loop" : ""));
    }
  }

  // A sitemap should have only pages that search engines can show.
  void judge_sitemaps() {
    for (Id id = 0; id < graph_.size() && !is_done_; ++id) {
      const LinkGraph::Node& node = graph_[id];
      if (!node.is_listed || !node.is_fetched) continue;
      if (node.has_failed) {
        tell(AuditRule::sitemap_broken, id, LinkGraph::kNone, status_text(node));
      } else if (node.status >= 300 && node.status != 304) {
        tell(AuditRule::sitemap_redirect, id, node.next, status_text(node));
      }
    }
  }

  static std::string status_text(const LinkGraph::Node& node) {
    return node.status == 0 ? "no answer" : fmt::format("status {}", node.status);
  }

  const Audit& audit_;
  const LinkGraph& graph_;
  std::move_only_function<bool(const AuditFinding&)>& use_;
  std::vector<Translation> translations_;
  std::vector<bool> judged_;  // by Id: all its translations are known
  CopyTable titles_;
  CopyTable descriptions_;
  bool is_done_ = false;
};

void Audit::for_each(const LinkGraph& graph,
                     std::move_only_function<bool(const AuditFinding&)> use) const {
  if (pages_.empty()) return;
  Judge(*this, graph, use).run();
}

}  // namespace gossamer::report

#include "report/json_report.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "record/outcome.h"
#include "report/phrases.h"

namespace gossamer::report {
namespace {

using base::JsonLine;

std::string json_string(std::string_view text) {
  std::string json;
  base::append_json_string(json, text);
  return json;
}

std::string text_array(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ", ";
    base::append_json_string(json, text);
  }
  return json + "]";
}

// Writes one row per line.
template <class Rows, class ToJson>
std::string row_array(const Rows& rows, ToJson to_json) {
  std::string json = "[";
  for (const auto& row : rows) json += (json.size() > 1 ? ",\n  " : "\n  ") + to_json(row);
  return json + (json.size() > 1 ? "\n]" : "]");
}

// A list includes its full length.
template <class Row, class ToJson>
std::string listing(const Listing<Row>& rows, ToJson to_json) {
  return fmt::format("{{\"total\": {}, \"rows\": {}}}", rows.total,
                     row_array(rows.rows, std::move(to_json)));
}

void add_status(JsonLine& line, std::optional<int> status) {
  if (status) {
    line.number("status", static_cast<std::uint64_t>(*status));
  } else {
    line.null("status");
  }
}

void add_text(JsonLine& line, std::string_view name, std::string_view text) {
  if (text.empty()) {
    line.null(name);
  } else {
    line.text(name, text);
  }
}

template <class Counts>
std::string counts_object(const Counts& counts) {
  JsonLine line;
  for (const auto& [what, count] : counts) line.number(fmt::format("{}", what), count);
  return line.finish();
}

std::string page_json(const PageRow& row) {
  JsonLine line;
  line.text("url", row.url);
  add_text(line, "title", row.title);
  add_status(line, row.status);
  add_text(line, "mime", row.mime);
  line.number("bytes", row.bytes).decimal("ms", milliseconds(row.took), 3);
  return line.number("depth", row.depth).finish();
}

std::string broken_json(const BrokenRow& row) {
  JsonLine line;
  line.text("url", row.url);
  add_status(line, row.status);
  add_text(line, "error", row.error);
  add_text(line, "error_detail", row.detail);
  line.number("tries", row.tries).number("depth", row.depth);
  add_text(line, "via", row.via);
  return line.number("links", row.links).raw("found_on", text_array(row.referrers)).finish();
}

std::string chain_json(const ChainRow& row) {
  JsonLine line;
  line.raw("urls", text_array(row.urls)).number("urls_left_out", row.left_out);
  line.boolean("circle", row.is_circle);
  add_status(line, row.status == 0 ? std::nullopt : std::optional<int>(row.status));
  return line.number("links", row.links).raw("found_on", text_array(row.referrers)).finish();
}

std::string cause_json(const CauseRow& row) {
  JsonLine line;
  line.text("cause", row.cause).number("count", row.count).text("example", row.example);
  add_text(line, "detail", row.detail);
  return line.finish();
}

std::string skipped_json(const SkippedRow& row) {
  std::string examples = "[";
  for (const SkippedRow::Example& example : row.examples) {
    JsonLine line;
    line.text("url", example.url);
    add_text(line, "via", example.via);
    add_text(line, "detail", example.detail);
    examples += (examples.size() > 1 ? ", " : "") + line.finish();
  }
  return JsonLine()
      .text("skip_reason", crawler::name(row.reason))
      .boolean("guess", is_guess(row.reason))
      .number("count", row.count)
      .raw("examples", examples + "]")
      .finish();
}

std::string host_json(const HostRow& row) {
  return JsonLine()
      .text("host", row.host)
      .number("pages", row.pages)
      .number("broken", row.failed)
      .number("bytes", row.bytes)
      .decimal("mean_ms", milliseconds(row.mean()), 3)
      .finish();
}

std::string duplicate_json(const DuplicateRow& row) {
  return JsonLine()
      .text("url", row.url)
      .number("copies", row.copies)
      .number("bytes", row.bytes)
      .raw("examples", text_array(row.examples))
      .finish();
}

std::string audit_json(const Report& report) {
  if (report.audited == 0) return "null";
  const auto template_json = [](const TemplateRow& row) {
    return JsonLine().text("pattern", row.pattern).number("pages", row.pages).finish();
  };
  const auto rule_json = [&](const AuditRow& row) {
    std::string pages = "[";
    for (const AuditFinding& finding : row.pages.rows) {
      JsonLine line;
      line.text("url", finding.url);
      add_text(line, "other_url", finding.other);
      add_text(line, "detail", finding.detail);
      pages += (pages.size() > 1 ? ", " : "") + line.finish();
    }
    return JsonLine()
        .text("rule", name(row.rule))
        .number("total", row.pages.total)
        .raw("templates", row_array(row.templates, template_json))
        .raw("rows", pages + "]")
        .finish();
  };
  return JsonLine()
      .number("pages", report.audited)
      .number("pages_left_out", report.unaudited)
      .raw("rules", row_array(report.audit, rule_json))
      .finish();
}

std::string language_json(const LanguageRow& row) {
  return JsonLine().text("language", row.language).number("pages", row.pages).finish();
}

std::string times_json(const TakenTimes& times) {
  JsonLine line;
  line.number("count", times.count()).decimal("mean", milliseconds(times.mean()), 3);
  for (const auto& [name, part] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}}) {
    line.decimal(name, milliseconds(times.quantile(part)), 3);
  }
  line.decimal("max", milliseconds(times.longest()), 3);
  std::string buckets = "[";
  for (const TakenTimes::Bucket& bucket : times.buckets()) {
    JsonLine of_bucket;
    of_bucket.decimal("from", milliseconds(bucket.from), 0);
    if (bucket.to == Duration::max()) {
      of_bucket.null("to");
    } else {
      of_bucket.decimal("to", milliseconds(bucket.to), 0);
    }
    buckets += (buckets.size() > 1 ? ", " : "") + of_bucket.number("count", bucket.count).finish();
  }
  return line.raw("buckets", buckets + "]").finish();
}

std::string over_time_json(const OverTime& over_time) {
  std::string pages = "[";
  std::string broken = "[";
  for (const OverTime::Step& step : over_time.steps()) {
    const std::string_view comma = pages.size() > 1 ? ", " : "";
    pages += fmt::format("{}{}", comma, step.all);
    broken += fmt::format("{}{}", comma, step.bad);
  }
  return JsonLine()
      .decimal("step_ms", milliseconds(over_time.width()), 0)
      .raw("pages", pages + "]")
      .raw("broken", broken + "]")
      .finish();
}

std::string rendered_json(const crawler::Statistics& totals) {
  if (!totals.has_rendering()) return "null";
  std::string patterns = "[";
  for (const auto& [pattern, counts] : totals.rendered_by_pattern) {
    patterns += (patterns.size() > 1 ? ", " : "") + JsonLine()
                                                        .text("pattern", pattern)
                                                        .number("pages", counts.pages)
                                                        .number("gained", counts.gained)
                                                        .finish();
  }
  return JsonLine()
      .number("pages", totals.rendered)
      .number("gained", totals.rendered_gained)
      .raw("errors", counts_object(totals.by_rendering_error))
      .raw("patterns", patterns + "]")
      .finish();
}

std::string totals_json(const crawler::Statistics& totals) {
  JsonLine outcomes;
  for (std::size_t i = 0; i < crawler::kOutcomes; ++i) {
    outcomes.number(crawler::name(static_cast<crawler::Outcome>(i)), totals.outcomes[i]);
  }
  return JsonLine()
      .number("pages", totals.pages)
      .number("answered", totals.answered)
      .raw("outcomes", outcomes.finish())
      .number("redirects", totals.count(crawler::Outcome::redirect))
      .number("failed", totals.count(crawler::Outcome::error))
      .number("truncated", totals.truncated)
      .number("retries", totals.retries)
      .number("duplicates", totals.duplicates)
      .number("bytes", totals.bytes)
      .number("wire_bytes", totals.wire_bytes)
      .number("links_found", totals.links_found)
      .number("links_new", totals.links_new)
      .number("needs_scripts", totals.needs_scripts)
      .raw("by_status", counts_object(totals.by_status))
      .raw("by_type", counts_object(totals.by_type))
      .raw("by_error", counts_object(totals.by_error))
      .raw("by_unwanted", counts_object(totals.by_unwanted))
      .finish();
}

}  // namespace

std::string to_json(const Report& report) {
  const Occasion& occasion = report.occasion;
  std::string depths = "[";
  for (const std::uint64_t pages : report.depths) {
    depths += (depths.size() > 1 ? ", " : "") + fmt::format("{}", pages);
  }
  const std::vector<std::pair<std::string_view, std::string>> members = {
      {"schema", fmt::format("{}", kReportSchema)},
      {"version", json_string(occasion.version)},
      {"roots", text_array(occasion.roots)},
      {"started", json_string(base::to_rfc3339(occasion.started, base::SecondDigits::milli))},
      {"ms", fmt::format("{:.3f}", milliseconds(occasion.took))},
      {"end", json_string(name(occasion.end))},
      {"totals", totals_json(report.totals)},
      {"times_ms", times_json(report.times)},
      {"over_time", over_time_json(report.over_time)},
      {"depths", depths + "]"},
      {"hosts", listing(report.hosts, host_json)},
      {"pages_of_other_hosts", fmt::format("{}", report.pages_of_other_hosts)},
      {"errors", row_array(report.causes, cause_json)},
      {"broken", listing(report.broken, broken_json)},
      {"redirect_chains", listing(report.chains, chain_json)},
      {"duplicates", listing(report.duplicates, duplicate_json)},
      {"copies_of_others", fmt::format("{}", report.copies_of_others)},
      {"similar", listing(report.similar, duplicate_json)},
      {"similar_to_others", fmt::format("{}", report.similar_to_others)},
      {"slowest", row_array(report.slowest.rows, page_json)},
      {"largest", row_array(report.largest.rows, page_json)},
      {"deepest", row_array(report.deepest.rows, page_json)},
      {"orphans", listing(report.orphans,
                          [](const PageRow& row) {
                            JsonLine line;
                            line.text("url", row.url);
                            add_status(line, row.status);
                            return line.finish();
                          })},
      {"skipped", row_array(report.skipped, skipped_json)},
      {"rendered", rendered_json(report.totals)},
      {"audit", audit_json(report)},
      {"languages", row_array(report.languages, language_json)},
      {"urls_forgotten", fmt::format("{}", report.urls_forgotten)},
  };
  std::string json = "{";
  for (const auto& [member, value] : members) {
    json += fmt::format("{}\n\"{}\": {}", json.size() > 1 ? "," : "", member, value);
  }
  return json + "\n}\n";
}

}  // namespace gossamer::report

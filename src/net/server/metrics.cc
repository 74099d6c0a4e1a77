#include "server/metrics.h"

#include <fmt/format.h>

#include "server/http_server.h"

namespace gossamer::server {
namespace {

std::string label_text(Metrics::Label label) {
  std::string text = fmt::format("{}=\"", label.name);
  for (const char c : label.value) {
    if (c == '\\' || c == '"') text.push_back('\\');
    if (c == '\n') {
      text += "\\n";
    } else {
      text.push_back(c);
    }
  }
  return text + '"';
}

}  // namespace

void Metrics::add(Kind kind, std::string_view name, std::string_view help, std::uint64_t value,
                  Label first, Label second) {
  std::string labels;
  if (!first.name.empty()) labels = label_text(first);
  if (!second.name.empty()) labels += "," + label_text(second);
  Family& family = families_[std::string(name)];
  family.kind = kind;
  family.help = help;
  family.values[labels] += value;
}

std::string Metrics::text() const {
  std::string text;
  for (const auto& [name, family] : families_) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, family.help, name,
                        family.kind == Kind::counter ? "counter" : "gauge");
    for (const auto& [labels, value] : family.values) {
      text += labels.empty() ? fmt::format("{} {}\n", name, value)
                             : fmt::format("{}{{{}}} {}\n", name, labels, value);
    }
  }
  return text;
}

Response Metrics::response() const {
  return {.type = "text/plain; version=0.0.4; charset=utf-8",
          .body = text(),
          .fields = {{"Cache-Control", "no-store"}}};
}

void add_server(Metrics& metrics, const HttpServer& server) {
  metrics.add(Metrics::Kind::gauge, "gossamer_serve_connections", "Open connections.",
              server.connections());
  for (const auto& [status, count] : server.answers()) {
    metrics.add(Metrics::Kind::counter, "gossamer_serve_requests_total", "Answers by status.",
                count, {"code", fmt::format("{}", status)});
  }
}

}  // namespace gossamer::server

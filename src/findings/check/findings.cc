#include "check/findings.h"

#include <algorithm>

#include "url/url.h"

namespace gossamer::check {

std::string_view name(FindingKind kind) noexcept {
  switch (kind) {
    case FindingKind::broken: return "broken";
    case FindingKind::fragment: return "fragment";
    case FindingKind::text: return "text";
    case FindingKind::redirect: return "redirect";
    case FindingKind::insecure: return "insecure";
    case FindingKind::mixed: return "mixed";
    case FindingKind::blocked: return "blocked";
    case FindingKind::unchecked: return "unchecked";
    case FindingKind::seo: return "seo";
  }
  return "";
}

void suggest_copies(Findings& findings, FindCopy find) {
  for (Finding& finding : findings.all) {
    const auto url = url::Url::parse(finding.url);
    const bool is_web = finding.kind == FindingKind::broken && url && url->is_http_or_https();
    if (!is_web) continue;
    finding.copy = "https://web.archive.org/web/" + url->href();
    auto copy = find ? find(url->href()) : std::nullopt;
    if (!copy) continue;
    finding.copy = std::move(copy->archive);
    finding.copied_at = copy->at;
  }
}

std::uint64_t Findings::count_new(bool (*matters)(FindingKind)) const {
  const auto count = std::ranges::count_if(
      all, [matters](const Finding& one) { return matters(one.kind) && !one.is_known; });
  return static_cast<std::uint64_t>(count);
}

}  // namespace gossamer::check

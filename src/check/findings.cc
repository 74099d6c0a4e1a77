#include "check/findings.h"

namespace gossamer::check {

std::string_view name(FindingKind kind) noexcept {
  switch (kind) {
    case FindingKind::broken: return "broken";
    case FindingKind::fragment: return "fragment";
    case FindingKind::redirect: return "redirect";
    case FindingKind::insecure: return "insecure";
    case FindingKind::mixed: return "mixed";
    case FindingKind::blocked: return "blocked";
    case FindingKind::unchecked: return "unchecked";
    case FindingKind::seo: return "seo";
  }
  return "";
}

}  // namespace gossamer::check

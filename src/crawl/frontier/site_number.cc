#include "frontier/site_number.h"

#include "base/hash.h"
#include "url/public_suffix.h"

namespace gossamer::crawler {

std::string_view host_in(std::string_view url) noexcept {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return url;
  std::string_view rest = url.substr(scheme_end + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    rest.remove_prefix(at + 1);
  }
  if (rest.starts_with('[')) return rest.substr(0, rest.find(']') + 1);
  return rest.substr(0, rest.find(':'));
}

std::uint16_t site_number(std::string_view host) {
  const std::string_view domain = url::PublicSuffixList::built_in().registrable_domain(host);
  return static_cast<std::uint16_t>(base::hash64(domain.empty() ? host : domain) >> 48);
}

}  // namespace gossamer::crawler

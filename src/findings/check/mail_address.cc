#include "check/mail_address.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "url/percent.h"
#include "url/url.h"

namespace gossamer::check {
namespace {

constexpr std::size_t kLocalBytesMax = 64;    // RFC 5321, 4.5.3.1.1
constexpr std::size_t kDomainBytesMax = 255;  // 4.5.3.1.2

bool is_local_part(std::string_view text) {
  if (text.empty() || text.size() > kLocalBytesMax) return false;
  if (text.size() > 1 && text.starts_with('"') && text.ends_with('"')) return true;
  // Dots separate atoms: RFC 5322, 3.2.3.
  if (text.starts_with('.') || text.ends_with('.')) return false;
  if (text.find("..") != std::string_view::npos) return false;
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7F || std::string_view("()<>[]:;@\\,\"").contains(c);
  });
}

bool is_domain(std::string_view text) {
  if (text.empty() || text.size() > kDomainBytesMax || text.ends_with('.')) return false;
  if (text.find_first_of("/?#@:\\") != std::string_view::npos) return false;
  const auto url = url::Url::parse("http://" + std::string(text) + "/");
  if (!url) return false;
  const std::string_view host = url->hostname();
  return host.find('.') != std::string_view::npos && host.find("..") == std::string_view::npos;
}

std::string_view fault_of_address(std::string_view address) {
  const std::size_t at = address.rfind('@');
  if (at == std::string_view::npos) return "the address has no @";
  if (!is_local_part(address.substr(0, at))) return "the part before the @ is invalid";
  if (!is_domain(address.substr(at + 1))) return "the domain after the @ is invalid";
  return {};
}

}  // namespace

std::string_view fault_of_mail(std::string_view path) {
  // "mailto:?to=..." has no address here.
  if (path.empty()) return {};
  // Addresses are apart by commas; commas of an address are escaped.
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(',', begin), path.size());
    const std::string address = url::percent_decoded(path.substr(begin, end - begin));
    const std::string_view fault = fault_of_address(base::trimmed(address, " "));
    if (!fault.empty()) return fault;
    begin = end + 1;
  }
  return {};
}

}  // namespace gossamer::check

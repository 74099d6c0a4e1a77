#include "url/public_suffix.h"

#include <libpsl.h>

#include <cstdio>

#include "base/check.h"
#include "url/ip_address.h"

namespace gossamer::url {
namespace {

// BOUND: longer hosts have no registrable domain. DNS stops at 253 bytes of ASCII.
constexpr std::size_t kHostBytesMax = 1024;

bool is_host_name(std::string_view host) noexcept {
  return !host.empty() && host.size() <= kHostBytesMax && host[0] != '.' && host[0] != '[' &&
         host.find('\0') == std::string_view::npos && !ends_in_a_number(host);
}

// libpsl requires a text that ends with a zero, and returns a pointer into it.
template <const char* (*Find)(const psl_ctx_t*, const char*)>
std::string_view find_suffix(const psl_ctx_t* list, std::string_view host) {
  if (!is_host_name(host)) return {};
  // libpsl does not expect the root dot, but the result includes it.
  const std::string_view name = host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
  char copy[kHostBytesMax + 1];
  copy[name.copy(copy, kHostBytesMax)] = '\0';
  const char* const found = Find(list, copy);
  return found == nullptr ? std::string_view()
                          : host.substr(static_cast<std::size_t>(found - copy));
}

}  // namespace

void PublicSuffixList::Deleter::operator()(psl_ctx_st* list) const noexcept { psl_free(list); }

const PublicSuffixList& PublicSuffixList::built_in() {
  static const PublicSuffixList list(psl_builtin());
  CHECK(list.list_ != nullptr, "libpsl was built without a list");
  return list;
}

Result<PublicSuffixList> PublicSuffixList::from_text(std::string_view text) {
  if (text.empty()) return fail(Errc::malformed, "the public suffix list is empty");
  // Presents memory as the file that libpsl requires. It is opened for reading only.
  std::FILE* const file = ::fmemopen(const_cast<char*>(text.data()), text.size(), "r");
  if (file == nullptr) return fail(Errc::no_resources, "cannot read the public suffix list");
  psl_ctx_t* const list = psl_load_fp(file);
  std::fclose(file);
  if (list == nullptr) return fail(Errc::no_resources, "cannot read the public suffix list");
  PublicSuffixList result(list);
  if (psl_suffix_count(list) <= 0)
    return fail(Errc::malformed, "the public suffix list has no rules");
  return result;
}

std::string_view PublicSuffixList::registrable_domain(std::string_view host) const {
  return find_suffix<psl_registrable_domain>(list_, host);
}

std::string_view PublicSuffixList::public_suffix(std::string_view host) const {
  return find_suffix<psl_unregistrable_domain>(list_, host);
}

bool PublicSuffixList::same_site(std::string_view a, std::string_view b) const {
  if (a == b) return true;
  const std::string_view domain = registrable_domain(a);
  return !domain.empty() && domain == registrable_domain(b);
}

}  // namespace gossamer::url

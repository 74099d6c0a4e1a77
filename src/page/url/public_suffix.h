// The part of a host that a person or company can register: the public suffix and one more label.
// https://publicsuffix.org/list/
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct psl_ctx_st;

namespace gossamer::url {

// Immutable; any thread may use it.
class PublicSuffixList {
 public:
  // The list that libpsl was built with.
  static const PublicSuffixList& built_in();
  // Reads a list in the format of public_suffix_list.dat. Fails with Errc::malformed if it has no
  // rules.
  static Result<PublicSuffixList> from_text(std::string_view text);

  // Returns "example.co.uk" for "www.example.co.uk"; nothing for a public suffix itself, for
  // addresses and for texts that are not host names. The host is in lower case, like that of a Url,
  // in ASCII or UTF-8.
  // BORROWS: the result views `host`.
  std::string_view registrable_domain(std::string_view host) const;
  // Returns "co.uk" for "www.example.co.uk". An unknown top-level domain is a public suffix.
  std::string_view public_suffix(std::string_view host) const;

  // Returns whether two hosts belong to the same registrant: they are equal, or share a registrable
  // domain.
  bool same_site(std::string_view a, std::string_view b) const;

 private:
  struct Deleter {
    void operator()(psl_ctx_st* list) const noexcept;
  };

  explicit PublicSuffixList(psl_ctx_st* owned) noexcept : owned_(owned), list_(owned) {}
  explicit PublicSuffixList(const psl_ctx_st* built_in) noexcept : list_(built_in) {}

  std::unique_ptr<psl_ctx_st, Deleter> owned_;
  const psl_ctx_st* list_;
};

}  // namespace gossamer::url

// Any text against any base: a parsed URL is consistent, parses to itself, and is plain ASCII.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "url/code_points.h"
#include "url/surt.h"
#include "url/url.h"

namespace gossamer {
namespace {

using url::Url;
using url::UrlFailure;

// Parses from a block of exactly the text's size.
UrlFailure assign_exact(Url& url, std::string_view text, const Url* base) {
  const std::vector<char> block(text.begin(), text.end());
  return url.assign({block.data(), block.size()}, base);
}

// Joins the parts, which must give the URL.
std::string reassembled(const Url& url) {
  std::string out(url.protocol());
  const bool has_authority = std::string_view(url.href()).substr(out.size()).starts_with("//");
  if (has_authority) {
    out += "//";
    out += url.username();
    if (!url.password().empty()) (out += ':') += url.password();
    if (url.has_credentials()) out += '@';
    out += url.host();
  } else if (url.pathname().starts_with("//") && !url.has_opaque_path()) {
    out += "/.";
  }
  out += url.pathname();
  if (url.query()) (out += '?') += *url.query();
  if (url.fragment()) (out += '#') += *url.fragment();
  return out;
}

void check_invariants(const Url& url) {
  for (const char c : url.href()) CHECK(static_cast<unsigned char>(c - 0x20) < 0x5F);
  CHECK_EQ(reassembled(url), url.href());
  CHECK(url.host().starts_with(url.hostname()));
  CHECK(!url.is_special() || url.pathname().starts_with('/'));
  CHECK(url.is_special() == (url.scheme_kind() != url::SchemeKind::other));
  Url again;
  CHECK(assign_exact(again, url.href(), nullptr) == UrlFailure::none);
  CHECK_EQ(again.href(), url.href());
  CHECK_EQ(again.pathname(), url.pathname());
  CHECK_EQ(again.hostname(), url.hostname());
  // An absolute URL is the same against any base, and the empty reference is the page itself.
  CHECK(assign_exact(again, url.href(), &url) == UrlFailure::none);
  CHECK_EQ(again.href(), url.href());
  if (!url.has_opaque_path()) {
    CHECK(assign_exact(again, "", &url) == UrlFailure::none);
    CHECK_EQ(again.href(), url.without_fragment());
  }
  url.origin();
  url::surt(url);
  url::cdx_key(url);
}

}  // namespace
}  // namespace gossamer

// The first line is the base, the rest the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  Url base;
  if (line != std::string_view::npos &&
      assign_exact(base, input.substr(0, line), nullptr) == UrlFailure::none) {
    check_invariants(base);
  }
  Url url;
  const std::string_view text = line == std::string_view::npos ? input : input.substr(line + 1);
  if (assign_exact(url, text, &base) == UrlFailure::none) check_invariants(url);
  return 0;
}

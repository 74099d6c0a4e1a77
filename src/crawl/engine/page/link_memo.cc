#include "engine/page/link_memo.h"

#include "base/hash.h"

namespace gossamer::crawler {
namespace {

// True if the link leads to the same URL from every page of a folder. False for "?a", also after
// white space, and for "http:a", which is relative, too; a link with a colon may have a scheme.
bool depends_on_folder_only(std::string_view link) noexcept {
  if (link.empty()) return false;
  const char first = link.front();
  if (first == '/' || first == '.') return true;
  return first > ' ' && first != '?' && link.find(':') == std::string_view::npos;
}

}  // namespace

void LinkMemo::begin(const url::Url& base, std::uint64_t encoding) noexcept {
  key_ = 0;
  is_of_web_ = base.is_http_or_https();
  if (!is_of_web_) return;
  const std::string_view page = base.without_fragment();
  const std::string_view path = base.pathname();
  const auto path_at = static_cast<std::size_t>(path.data() - page.data());
  const std::string_view folder = page.substr(0, path_at + path.rfind('/') + 1);
  seed_ = base::hash64(folder, salt_ + encoding);
  page_key_ = base::hash64(page, ~seed_);
}

// 0: it cannot be stored.
std::uint64_t LinkMemo::key_of(std::string_view link) const noexcept {
  if (!is_of_web_) return 0;
  const std::string_view address = link.substr(0, link.find('#'));
  const bool has_fragment = address.size() != link.size();
  // A blank at the end of a link is ignored, but before a fragment it is not.
  if (has_fragment && !address.empty() && static_cast<unsigned char>(address.back()) <= ' ')
    return 0;
  if (depends_on_folder_only(address)) return base::hash64(address, seed_);
  return has_fragment && address.empty() ? page_key_ : 0;
}

std::optional<std::uint64_t> LinkMemo::find(std::string_view link, std::uint16_t depth) noexcept {
  key_ = key_of(link);
  if (key_ == 0) return std::nullopt;
  const Slot& slot = slots_[key_ % kSlots];
  const bool is_same = ((slot.key_and_depth ^ key_) & ~kDepthMask) == 0;
  if (!is_same || (slot.key_and_depth & kDepthMask) > depth) return std::nullopt;
  return slot.fingerprint;
}

void LinkMemo::put(std::uint64_t fingerprint, std::uint16_t depth) noexcept {
  if (key_ != 0) slots_[key_ % kSlots] = {(key_ & ~kDepthMask) | depth, fingerprint};
}

}  // namespace gossamer::crawler

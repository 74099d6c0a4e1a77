#include "crawl/link_memo.h"

#include "base/hash.h"

namespace gossamer::crawl {
namespace {

// It leads to the same place from every page of a folder. Not so "?a" and "#a", also after white
// space, and "http:a", which is relative, too. What has a colon may have a scheme.
bool depends_on_folder_only(std::string_view link) noexcept {
  if (link.empty()) return false;
  const char first = link.front();
  if (first == '/' || first == '.') return true;
  return first > ' ' && first != '?' && first != '#' && link.find(':') == std::string_view::npos;
}

}  // namespace

void LinkMemo::begin(const url::Url& base, std::uint64_t encoding) noexcept {
  key_ = 0;
  is_of_web_ = base.is_http_or_https();
  if (!is_of_web_) return;
  const std::string_view path = base.pathname();
  const std::string_view href = base.href();
  const auto path_at = static_cast<std::size_t>(path.data() - href.data());
  const std::string_view folder = href.substr(0, path_at + path.rfind('/') + 1);
  seed_ = base::hash64(folder, salt_ + encoding);
}

std::optional<std::uint64_t> LinkMemo::find(std::string_view link, std::uint16_t depth) noexcept {
  key_ = 0;
  if (!is_of_web_ || !depends_on_folder_only(link)) return std::nullopt;
  key_ = base::hash64(link, seed_);
  const Slot& slot = slots_[key_ % kSlots];
  const bool is_same = ((slot.key_and_depth ^ key_) & ~kDepthMask) == 0;
  if (!is_same || (slot.key_and_depth & kDepthMask) > depth) return std::nullopt;
  return slot.fingerprint;
}

void LinkMemo::put(std::uint64_t fingerprint, std::uint16_t depth) noexcept {
  if (key_ != 0) slots_[key_ % kSlots] = {(key_ & ~kDepthMask) | depth, fingerprint};
}

}  // namespace gossamer::crawl

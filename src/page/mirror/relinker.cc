#include "mirror/relinker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/json.h"
#include "html/links/css_urls.h"
#include "html/links/manifest_urls.h"
#include "html/links/refresh.h"
#include "html/links/srcset.h"

namespace gossamer::mirror {
namespace {

// Copies a text with some parts replaced. BORROWS: the text.
class Edit {
 public:
  explicit Edit(std::string_view text) : text_(text) {}

  // REQUIRES: the part is after all parts replaced before.
  void replace(std::size_t begin, std::size_t end, std::string_view by) {
    out_.append(text_.substr(copied_, begin - copied_)).append(by);
    copied_ = end;
    is_changed_ = true;
  }
  // REQUIRES: `part` views the text.
  void replace(std::string_view part, std::string_view by) {
    const auto begin = static_cast<std::size_t>(part.data() - text_.data());
    replace(begin, begin + part.size(), by);
  }
  std::optional<std::string> finish() {
    if (!is_changed_) return {};
    out_.append(text_.substr(copied_));
    return std::move(out_);
  }

 private:
  std::string_view text_;
  std::string out_;
  std::size_t copied_ = 0;
  bool is_changed_ = false;
};

// https://drafts.csswg.org/cssom/#serialize-a-string; a URL has no control characters.
std::string css_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + '"';
}

}  // namespace

std::string relative_link(std::string_view from, std::string_view to) {
  std::size_t common = 0;  // after the last slash of the common part
  for (std::size_t i = 0; i < from.size() && i < to.size() && from[i] == to[i]; ++i) {
    if (from[i] == '/') common = i + 1;
  }
  std::string link;
  for (const char c : from.substr(common)) {
    if (c == '/') link += "../";
  }
  for (const char c : to.substr(common)) {
    // Written as browsers do, so that no reader has to guess an encoding.
    if (c == '%' || (c & 0x80) != 0) {
      link += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      link.push_back(c);
    }
  }
  return link;
}

NewLink FileTargets::link_to(const url::Url& url, bool) const {
  const auto copy = pages_.find(url);
  if (!copy) return {.text = url.href()};
  return {.text = relative_link(name_, *copy) + std::string(url.hash()), .is_local = true};
}

std::optional<url::Url> Relinker::resolved(std::string_view link) {
  const std::string_view trimmed = base::trimmed(link, " \t\n\r\f");
  if (trimmed.empty() || (trimmed.starts_with('#') && !has_own_base_)) return {};
  auto url = url::Url::parse(trimmed, &base_, &encoder_);
  if (!url || !url->is_http_or_https()) return {};
  return std::move(*url);
}

std::optional<Relinker::Link> Relinker::absolute(std::string_view link) {
  const auto url = resolved(link);
  if (!url) return {};
  return Link{.text = url->href()};
}

std::optional<Relinker::Link> Relinker::relinked(std::string_view link, bool is_frame) {
  const auto url = resolved(link);
  if (url) return targets_.link_to(*url, is_frame);
  // A browser may read what this program cannot.
  const bool is_unclear = targets_.is_strict() && !base::trimmed(link, " \t\n\r\f").empty() &&
                          !url::Url::parse(link, &base_, &encoder_);
  if (!is_unclear) return {};
  return Link{.text = "#"};
}

std::optional<std::string> Relinker::srcset(std::string_view value) {
  Edit edit(value);
  for (const html::ImageCandidate& candidate : html::parse_srcset(value)) {
    if (const auto link = relinked(candidate.url)) edit.replace(candidate.url, link->text);
  }
  return edit.finish();
}

std::optional<std::string> Relinker::refresh(std::string_view content) {
  Edit edit(content);
  const auto refresh = html::parse_refresh(content);
  if (!refresh || !refresh->url) return {};
  if (const auto link = relinked(*refresh->url)) edit.replace(*refresh->url, link->text);
  return edit.finish();
}

std::optional<std::string> Relinker::css(std::string_view text) {
  if (!html::CssUrls::may_have_urls(text)) return {};
  Edit edit(text);
  html::CssUrls urls(text);
  while (urls.next()) {
    const auto link = relinked(urls.url());
    if (!link) continue;
    const bool is_string = text[urls.begin()] == '"' || text[urls.begin()] == '\'';
    const std::string quoted = css_string(link->text);
    edit.replace(urls.begin(), urls.end(), is_string ? quoted : "url(" + quoted + ")");
  }
  return edit.finish();
}

std::optional<std::string> Relinker::manifest(std::string_view json) {
  Edit edit(json);
  for (const html::ManifestUrl& found : html::manifest_urls(json)) {
    const auto link = relinked(found.url);
    if (!link) continue;
    std::string text;
    base::append_json_string(text, link->text);
    edit.replace(found.begin, found.end, text);
  }
  return edit.finish();
}

}  // namespace gossamer::mirror

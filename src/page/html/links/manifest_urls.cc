#include "html/links/manifest_urls.h"

#include <algorithm>
#include <utility>

#include "base/json_value.h"

namespace gossamer::html {
namespace {

class ManifestUrlReader {
 public:
  explicit ManifestUrlReader(std::string_view json) : json_(json) {}

  std::vector<ManifestUrl> run() {
    while (at_ < json_.size() && lists_.size() <= base::kJsonDepthMax) {
      const char c = json_[at_];
      if (c == '"') {
        take_text();
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') lists_.push_back(std::exchange(name_, {}));
      if ((c == '}' || c == ']') && !lists_.empty()) lists_.pop_back();
      if (c == ',' || c == '}' || c == ']') name_ = {};
    }
    const bool is_manifest = has_name_ && std::ranges::any_of(urls_, &is_image);
    return is_manifest ? std::move(urls_) : std::vector<ManifestUrl>();
  }

 private:
  static bool is_image(const ManifestUrl& found) { return !found.is_page; }

  void take_text() {
    const std::size_t begin = at_++;
    while (at_ < json_.size() && json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, json_.size());
    const std::size_t next = json_.find_first_not_of(" \t\r\n", at_);
    if (next != std::string_view::npos && json_[next] == ':') {
      name_ = json_.substr(begin + 1, at_ - begin - 2);
      has_name_ |= lists_.size() == 1 && (name_ == "name" || name_ == "short_name");
      return;
    }
    const std::string_view list =
        lists_.size() < 2 ? std::string_view() : lists_[lists_.size() - 2];
    const bool is_image = name_ == "src" && (list == "icons" || list == "screenshots");
    const bool is_page =
        (name_ == "start_url" && lists_.size() == 1) || (name_ == "url" && list == "shortcuts");
    if ((!is_image && !is_page) || urls_.size() == kManifestUrlsMax) return;
    auto text = base::parse_json(json_.substr(begin, at_ - begin));
    if (!text) return;
    urls_.push_back({.url = std::move(text->text), .is_page = is_page, .begin = begin, .end = at_});
  }

  std::string_view json_;
  std::size_t at_ = 0;
  std::vector<std::string_view> lists_;  // the objects and arrays that are open, by their names
  std::string_view name_;                // of the current member
  bool has_name_ = false;
  std::vector<ManifestUrl> urls_;
};

}  // namespace

std::vector<ManifestUrl> manifest_urls(std::string_view json) {
  return ManifestUrlReader(json).run();
}

}  // namespace gossamer::html

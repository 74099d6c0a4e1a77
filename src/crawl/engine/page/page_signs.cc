#include "engine/page/page_signs.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "html/page_reader.h"
#include "record/rendering.h"

namespace gossamer::crawler {
namespace {

// A page with more text shows something, and one with more of it says more than a hint.
constexpr std::size_t kEmptyTextMax = 200;
constexpr std::size_t kLinklessTextMax = 1000;
constexpr std::size_t kHintTextMax = 1500;
constexpr std::size_t kTextKept = kHintTextMax + 500;

class SignReader final : public html::PageConsumer {
 public:
  void link(const html::Link& link) override {
    if (link.kind == html::LinkKind::page) ++signs.links;
  }
  void text(std::string_view piece) override {
    signs.text_bytes += piece.size();
    if (text_.size() < kTextKept) text_ += piece.substr(0, kTextKept - text_.size());
  }
  // Pages say it in their own words: "You need to enable JavaScript to run this app."
  bool has_hint() const {
    const std::string words = base::lower_case(text_);
    if (signs.text_bytes > kHintTextMax || words.find("javascript") == std::string::npos) {
      return false;
    }
    constexpr std::array kVerbs = {std::string_view("enable"), std::string_view("require"),
                                   std::string_view("need"), std::string_view("disabled"),
                                   std::string_view("turn on")};
    return std::ranges::any_of(
        kVerbs, [&](std::string_view verb) { return words.find(verb) != std::string::npos; });
  }

  PageSigns signs;

 private:
  std::string text_;
};

// Returns whether a script follows that is not data.
bool has_scripts(std::string_view html) {
  constexpr std::string_view kTag = "<script";
  for (std::size_t at = html.find(kTag); at != std::string_view::npos; at = html.find(kTag, at)) {
    const std::string_view tag = html.substr(at, html.find('>', at) - at);
    if (tag.find("json") == std::string_view::npos) return true;
    at += tag.size();
  }
  return false;
}

}  // namespace

PageSigns read_signs(std::string_view html) {
  SignReader consumer;
  html::PageReader reader({.links = true, .text = true}, consumer);
  reader.feed(html);
  reader.finish();
  consumer.signs.has_hint = consumer.has_hint();
  consumer.signs.has_scripts = has_scripts(html);
  return consumer.signs;
}

std::string_view reason_to_render(const PageSigns& signs) noexcept {
  if (!signs.has_scripts) return {};
  if (signs.has_hint) return kRenderedHint;
  if (signs.text_bytes < kEmptyTextMax) return kRenderedEmpty;
  return signs.links == 0 && signs.text_bytes < kLinklessTextMax ? kRenderedEmpty
                                                                 : std::string_view();
}

bool has_gained(const PageSigns& before, const PageSigns& after) noexcept {
  constexpr std::size_t kTextMin = 100;  // less is a label
  return after.links > before.links || after.text_bytes > 2 * before.text_bytes + kTextMin;
}

bool RenderExperience::is_worth(std::string_view host) {
  const auto found = hosts_.find(std::string(host));
  if (found == hosts_.end() || found->second.in_vain < kTriesMax) return true;
  return ++found->second.left_out % kRecheck == 0;
}

void RenderExperience::note(std::string_view host, bool gained) {
  if (hosts_.size() >= kHostsMax) hosts_.clear();
  Host& known = hosts_[std::string(host)];
  known.in_vain = gained ? 0 : known.in_vain + 1;
}

}  // namespace gossamer::crawler

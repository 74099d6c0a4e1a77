#include "html/encoding/encoding.h"

#include <algorithm>
#include <array>

#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

struct Label {
  std::string_view label;
  Encoding encoding;
};

#include "html/encoding/labels.inc"

static_assert(kNames.size() == kEncodingCount);
static_assert(std::ranges::is_sorted(kLabels, {}, &Label::label));

constexpr std::size_t kLabelLengthMax = std::ranges::max(kLabels, {}, [](const Label& entry) {
                                          return entry.label.size();
                                        }).label.size();

constexpr std::string_view kWhiteSpace = "\t\n\f\r ";

}  // namespace

std::string_view name(Encoding encoding) noexcept {
  return kNames[static_cast<std::size_t>(encoding)];
}

// https://encoding.spec.whatwg.org/#concept-encoding-get
std::optional<Encoding> encoding_from_label(std::string_view label) noexcept {
  const std::size_t start = label.find_first_not_of(kWhiteSpace);
  if (start == std::string_view::npos) return std::nullopt;
  label = label.substr(start, label.find_last_not_of(kWhiteSpace) + 1 - start);
  if (label.size() > kLabelLengthMax) return std::nullopt;

  std::array<char, kLabelLengthMax> lower;
  std::ranges::transform(label, lower.begin(), base::to_lower);
  const std::string_view key(lower.data(), label.size());
  const auto* found = std::ranges::lower_bound(kLabels, key, {}, &Label::label);
  if (found == kLabels.end() || found->label != key) return std::nullopt;
  return found->encoding;
}

bool is_ascii_compatible(Encoding encoding) noexcept {
  return encoding != Encoding::utf_16be && encoding != Encoding::utf_16le &&
         encoding != Encoding::iso_2022_jp && encoding != Encoding::replacement;
}

// https://encoding.spec.whatwg.org/#get-an-output-encoding
Encoding output_encoding(Encoding encoding) noexcept {
  const bool has_encoder = encoding != Encoding::utf_16be && encoding != Encoding::utf_16le &&
                           encoding != Encoding::replacement;
  return has_encoder ? encoding : Encoding::utf_8;
}

}  // namespace gossamer::html

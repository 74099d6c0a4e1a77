#include "wire/content_coding.h"

#include <optional>
#include <string>

#include "wire/text.h"

namespace gossamer::wire {
namespace {

struct Label {
  std::string_view name;
  std::optional<ContentCoding> coding;
};

constexpr Label kLabels[] = {
    {"gzip", ContentCoding::gzip},
    {"x-gzip", ContentCoding::gzip},
    {"deflate", ContentCoding::deflate},
    {"br", ContentCoding::brotli},
    {"zstd", ContentCoding::zstd},
    {"identity", std::nullopt},
    {"none", std::nullopt},  // not a registered coding, but common
    {"", std::nullopt},
};

const Label* find_label(std::string_view name) {
  for (const Label& label : kLabels) {
    if (equals_ignoring_case(label.name, name)) return &label;
  }
  return nullptr;
}

}  // namespace

Result<std::vector<ContentCoding>> parse_content_codings(
    std::span<const std::string_view> header_values) {
  std::vector<ContentCoding> codings;
  std::string_view unknown;
  bool is_known = true;
  std::size_t count = 0;
  for (const std::string_view value : header_values) {
    for_each_in_list(value, [&](std::string_view one) {
      const Label* const label = find_label(one);
      if (label == nullptr) {
        unknown = one;
        is_known = false;
      } else if (label->coding && ++count <= kContentCodingsMax) {
        codings.push_back(*label->coding);
      }
    });
  }
  if (!is_known) {
    return fail(Errc::unsupported, "unknown content coding " + std::string(unknown.substr(0, 40)));
  }
  if (count > kContentCodingsMax) return fail(Errc::over_limit, "too many content codings");
  return codings;
}

}  // namespace gossamer::wire

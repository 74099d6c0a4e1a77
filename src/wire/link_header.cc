#include "wire/link_header.h"

#include <algorithm>
#include <utility>

#include "wire/parameters.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::size_t kLinksMax = 256;
constexpr std::size_t kRelsMax = 16;

void read_rels(std::string_view text, std::vector<std::string>& rels) {
  while (rels.size() < kRelsMax) {
    text = trim_blanks(text);
    if (text.empty()) return;
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    std::string& rel = rels.emplace_back(text.substr(0, end));
    std::ranges::transform(rel, rel.begin(), to_lower);
    text.remove_prefix(end);
  }
}

void set_parameter(LinkField& link, std::string_view name, std::string value) {
  // Section 3.3: the first of several rels counts; the same holds for the other parameters.
  if (equals_ignoring_case(name, "rel")) {
    if (link.rels.empty()) read_rels(value, link.rels);
  } else if (equals_ignoring_case(name, "type")) {
    if (link.type.empty()) link.type = std::move(value);
  } else if (equals_ignoring_case(name, "anchor")) {
    if (link.anchor.empty()) link.anchor = std::move(value);
  } else if (equals_ignoring_case(name, "hreflang")) {
    if (link.hreflang.empty()) link.hreflang = std::move(value);
  } else if (equals_ignoring_case(name, "media")) {
    if (link.media.empty()) link.media = std::move(value);
  }
}

void read_parameters(ParameterReader& reader, LinkField& link) {
  while (true) {
    reader.skip_blanks();
    if (!reader.skip(';')) return;
    reader.skip_blanks();
    const std::string_view name = reader.token();
    reader.skip_blanks();
    std::string value;
    if (reader.skip('=')) {
      reader.skip_blanks();
      value = reader.peek() == '"' ? reader.quoted() : std::string(trim_blanks(reader.until(";,")));
    }
    set_parameter(link, name, std::move(value));
  }
}

}  // namespace

bool LinkField::has_rel(std::string_view rel) const noexcept {
  return std::ranges::find(rels, rel) != rels.end();
}

std::vector<LinkField> parse_link_header(std::string_view value) {
  std::vector<LinkField> links;
  ParameterReader reader(value);
  while (!reader.is_at_end() && links.size() < kLinksMax) {
    reader.until("<");
    if (!reader.skip('<')) break;
    LinkField link;
    link.target = trim_blanks(reader.until(">"));
    if (!reader.skip('>')) break;
    read_parameters(reader, link);
    links.push_back(std::move(link));
    reader.until(",");
    reader.skip(',');
  }
  return links;
}

}  // namespace gossamer::wire

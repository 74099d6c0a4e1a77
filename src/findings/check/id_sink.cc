#include "check/id_sink.h"

namespace gossamer::check {
namespace {

const html::Interest& all_tags() {
  static const html::Interest kAll = [] {
    html::Interest all;
    for (html::Interest::OfTag& tag : all.tags) tag = {html::kAllAttributes, true, true};
    all.settle();
    return all;
  }();
  return kAll;
}

}  // namespace

IdSink::IdSink(std::vector<std::string>& ids, std::size_t ids_max)
    : TokenSink(all_tags()), ids_(ids), ids_max_(ids_max) {
  wants_text_ = model_.wants_text();
}

html::TextMode IdSink::tag(const html::Tag& tag) {
  if (tag.is_end) {
    model_.close(tag);
    wants_text_ = model_.wants_text();
    return html::TextMode::data;
  }
  const html::TextMode mode = model_.open(tag);
  wants_text_ = model_.wants_text();
  if (model_.in_template()) return mode;
  for (const html::Attribute& attribute : tag.attributes) {
    const bool is_anchor = tag.id == html::TagId::a && attribute.id == html::AttributeId::name;
    if (is_anchor || attribute.name == "id") take(attribute.value);
  }
  return mode;
}

void IdSink::take(std::string_view id) {
  if (!id.empty() && ids_.size() < ids_max_) ids_.emplace_back(id);
}

}  // namespace gossamer::check

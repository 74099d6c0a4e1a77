#include "record/result_line.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/json_value.h"
#include "record/record_fields.h"

namespace gossamer::report {
namespace {

using base::JsonValue;

// Empty where it is missing or null.
std::string text_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  return value != nullptr && value->kind == JsonValue::Kind::text ? value->text : std::string();
}

std::uint64_t count_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  return value == nullptr ? 0 : value->as_number().value_or(0);
}

// Reads the members of a line, or of an object in it. Lines have the fields in the order of the
// table, so the search continues where the last field was found.
class MemberReader {
 public:
  explicit MemberReader(crawler::FetchRecord& record) : record_(record) {}

  void read(const JsonValue& object, const std::string& group = {}) {
    for (const base::JsonMember& member : object.members) {
      const crawler::RecordField* const field = find(group + member.name);
      if (field == nullptr && group.empty()) read(member.value, member.name + ".");
      if (field != nullptr && field->read != nullptr) field->read(member.value, record_);
    }
  }

 private:
  const crawler::RecordField* find(std::string_view name) {
    const auto fields = crawler::record_fields();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::size_t at = (next_ + i) % fields.size();
      if (fields[at].name != name) continue;
      next_ = at + 1;
      return &fields[at];
    }
    return nullptr;
  }

  crawler::FetchRecord& record_;
  std::size_t next_ = 0;
};

}  // namespace

ResultLine::ResultLine(std::string_view line) {
  const auto read = base::parse_json(line);
  if (!read) return;
  url_ = text_in(*read, "url");
  if (url_.empty()) return;
  if (const std::string reason = text_in(*read, "skip_reason"); !reason.empty()) {
    via_ = text_in(*read, "via");
    skipped_ = {.url = url_,
                .reason = crawler::skip_reason_named(reason),
                .via = via_,
                .depth = static_cast<std::uint32_t>(count_in(*read, "depth")),
                .detail = text_in(*read, "detail")};
    return;
  }
  MemberReader(record_.emplace()).read(*read);
  record_->tries = std::max(1U, record_->tries);
}

}  // namespace gossamer::report

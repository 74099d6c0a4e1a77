#include "store/page_changes.h"

#include <utility>

#include "base/packing.h"

namespace gossamer::store {
namespace {

bool is_there(const crawler::FetchRecord& record) {
  return record.status && *record.status >= 200 && *record.status < 400;
}

bool is_gone(const crawler::FetchRecord& record) {
  return record.status && (*record.status == 404 || *record.status == 410);
}

void pack_status(Packer& packer, const std::optional<int>& status) {
  packer.signed_number(status.value_or(-1));
}

std::optional<int> unpack_status(Unpacker& from) {
  const auto status = static_cast<int>(from.signed_number());
  return status < 0 ? std::nullopt : std::optional(status);
}

}  // namespace

std::string_view name(ChangeKind kind) noexcept {
  switch (kind) {
    case ChangeKind::added: return "new";
    case ChangeKind::changed: return "changed";
    case ChangeKind::gone: return "gone";
    case ChangeKind::markup: return "markup";
  }
  return "";
}

std::optional<ChangeKind> compare(const crawler::FetchRecord* before,
                                  const crawler::FetchRecord& now) {
  if (before == nullptr) return is_there(now) ? std::optional(ChangeKind::added) : std::nullopt;
  if (is_gone(now)) return is_there(*before) ? std::optional(ChangeKind::gone) : std::nullopt;
  if (!is_there(now)) return std::nullopt;
  if (is_gone(*before)) return ChangeKind::added;
  const bool is_same = now.status == before->status && now.digest == before->digest &&
                       now.next_url == before->next_url;
  if (is_same) return std::nullopt;
  const bool has_same_text = now.status == before->status && now.next_url == before->next_url &&
                             now.text_digest && now.text_digest == before->text_digest &&
                             now.title == before->title;
  return has_same_text ? ChangeKind::markup : ChangeKind::changed;
}

std::string pack_change(const PageChange& change) {
  Packer packer;
  packer.number(static_cast<std::uint64_t>(change.kind));
  packer.text(change.url);
  packer.signed_number(change.ts.seconds);
  packer.number(change.ts.nanoseconds);
  pack_status(packer, change.status_before);
  pack_status(packer, change.status);
  return std::move(packer).take();
}

Result<PageChange> unpack_change(std::string_view row) {
  Unpacker from(row);
  PageChange change;
  const std::uint64_t kind = from.number();
  change.kind = static_cast<ChangeKind>(kind);
  change.url = from.text();
  change.ts.seconds = from.signed_number();
  change.ts.nanoseconds = static_cast<std::uint32_t>(from.number());
  change.status_before = unpack_status(from);
  change.status = unpack_status(from);
  const bool is_good =
      from.is_good() && from.is_at_end() && kind <= static_cast<std::uint64_t>(ChangeKind::markup);
  if (!is_good) return fail(Errc::malformed, "invalid row of a change");
  return change;
}

Result<bool> has_refreshed(const Tables& tables) {
  const auto last = tables.get(Table::meta, kLastRefreshKey);
  if (!last) return fail(last.error().copy());
  return last->has_value();
}

Result<void> for_each_change(const Tables& tables,
                             std::move_only_function<bool(const PageChange&)> use) {
  const auto last = tables.get(Table::meta, kLastRefreshKey);
  if (!last) return fail(last.error().copy());
  if (!*last) return {};
  std::optional<Error> failure;
  auto read = tables.scan(Table::changes, **last, [&](std::string_view key, std::string_view row) {
    if (!key.starts_with(**last)) return false;
    auto change = unpack_change(row);
    if (!change) failure = std::move(change).error();
    return change && use(*change);
  });
  if (failure) return fail(std::move(*failure));
  return read;
}

}  // namespace gossamer::store

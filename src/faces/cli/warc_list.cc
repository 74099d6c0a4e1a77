#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/escape.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "terminal/standard_output.h"
#include "warc/http_block.h"

namespace gossamer::cli {
namespace {

struct ListArguments {
  std::vector<std::string> files;
  std::vector<std::string> types;
  bool json = false;
};

class RecordList final : public store::RecordVisitor {
 public:
  explicit RecordList(const ListArguments& arguments) : arguments_(arguments) {}

  void begin_archive(const store::WarcSource& source) override {
    file_ = source.name();
    const bool is_one_of_many = arguments_.files.size() > 1 || source.package() != nullptr;
    if (is_one_of_many && !arguments_.json) {
      terminal::print_out("{}:\n", base::escape_for_terminal(file_));
    }
  }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    http_.reset();
    if (head.has_http()) http_.emplace();
  }

  void block(Bytes piece) override {
    if (http_) http_->feed(piece);
  }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (http_) http_->finish();
    const auto& types = arguments_.types;
    if (!types.empty() && std::ranges::find(types, name(head.type)) == types.end()) return;
    arguments_.json ? print_json(head, extent) : print_line(head, extent);
  }

  void fault(const warc::Fault& fault) override {
    complain(file_, fmt::format("offset {}: {}", fault.offset, fault.text));
    has_damage_ |= !fault.is_warning;
  }

  bool is_satisfied() const override { return terminal::standard_output().failure().has_value(); }
  int exit_code() const { return has_damage_ ? kFailed : kOk; }

 private:
  const warc::HttpHead* http() const { return http_ && http_->head() ? &*http_->head() : nullptr; }

  std::string_view type_of_content(const warc::RecordHead& head) const {
    return http() != nullptr ? http()->content_type() : head.content_type();
  }

  void print_line(const warc::RecordHead& head, const warc::Extent& extent) const {
    const auto status = http() != nullptr ? http()->status() : std::nullopt;
    const std::string_view type = type_of_content(head);
    terminal::print_out("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", extent.member_offset, extent.member_bytes,
                        name(head.type), base::escape_for_terminal(head.date_text()),
                        status ? std::to_string(*status) : "-",
                        type.empty() ? "-" : base::escape_for_terminal(type),
                        base::escape_for_terminal(head.target_uri()));
  }

  void print_json(const warc::RecordHead& head, const warc::Extent& extent) const {
    base::JsonLine line;
    line.text("file", file_).number("offset", extent.member_offset);
    // A record without its own length cannot be cut out of the file.
    extent.can_be_cut_out() ? line.number("length", extent.member_bytes) : line.null("length");
    line.number("plain_offset", extent.plain_offset).number("plain_length", extent.plain_bytes);
    line.text("type", name(head.type)).text("version", head.version);
    line.text("url", head.target_uri()).text("date", head.date_text());
    const auto status = http() != nullptr ? http()->status() : std::nullopt;
    if (status) line.number("status", static_cast<std::uint64_t>(*status));
    line.text("mime", type_of_content(head));
    line.number("block_length", head.block_bytes).boolean("whole", extent.is_whole);
    line.raw("fields", json_of(head.fields));
    if (http() != nullptr) {
      line.text("http_start", http()->start_line).raw("http_fields", json_of(http()->fields));
    }
    terminal::print_out("{}\n", line.finish());
  }

  static std::string json_of(const warc::Fields& fields) {
    std::string json = "[";
    for (const auto& field : fields) {
      json += json.size() > 1 ? ",[" : "[";
      base::append_json_string(json, field.name);
      json += ',';
      base::append_json_string(json, field.value);
      json += ']';
    }
    return json += ']';
  }

  const ListArguments& arguments_;
  std::string file_;
  std::optional<warc::HttpBlock> http_;
  bool has_damage_ = false;
};

void declare_warc_ls(options::Table& table, ListArguments& arguments) {
  table.summary(
      "List the records of archives: offset, length, type, date, status, content type, URL.");
  table.words(options::files(arguments.files), "WARC, ARC or WACZ; - is standard input");
  table.flag("json", arguments.json, "print one JSON object per line, with all fields");
  table.repeated("type", options::texts(arguments.types, "TYPE"),
                 "list only this type: response, request, ...; may be repeated");
}

int run_warc_ls(ListArguments& arguments) {
  RecordList list(arguments);
  return worse(walk_all(arguments.files, list), list.exit_code());
}

}  // namespace

constinit const Command warc_ls_command =
    command_of<declare_warc_ls, run_warc_ls>("warc ls", "FILE... [--json]", "list the records");

}  // namespace gossamer::cli

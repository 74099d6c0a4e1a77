#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "terminal/standard_output.h"
#include "warc/answer_reader.h"
#include "warc/cdxj.h"

namespace gossamer::cli {
namespace {

struct CatArguments {
  std::string file;
  std::string url;
  std::optional<std::uint64_t> offset;
  bool block = false;
  bool payload = false;
  bool raw = false;
};

// It is printed as it is read, so its size needs no bound.
constexpr std::uint64_t kPrintedBytesMax = std::numeric_limits<std::uint64_t>::max() / 2;

void write_out(Bytes bytes) { terminal::standard_output().write(as_text(bytes)); }

class PrintedPayload final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override { write_out(piece); }
};

// Prints the first record that matches the options.
class RecordPrinter final : public store::RecordVisitor {
 public:
  explicit RecordPrinter(const CatArguments& arguments)
      : arguments_(arguments), key_(warc::capture_key(arguments.url)) {}

  void begin_archive(const store::WarcSource& source) override { file_ = source.name(); }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    is_wanted_ = does_match(head);
    if (!is_wanted_) return;
    if (arguments_.payload) {
      const warc::PayloadOptions options = {.decode_content = !arguments_.raw,
                                            .limits = {.bytes_max = kPrintedBytesMax}};
      answer_.emplace(head, options, output_);
    } else if (!arguments_.block) {
      write_out(as_bytes(head.raw));
    }
  }

  void block(Bytes piece) override {
    if (!is_wanted_) return;
    answer_ ? answer_->feed(piece) : write_out(piece);
  }

  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    if (!is_wanted_) return;
    is_found_ = true;
    is_damaged_ |= !extent.is_whole;
    if (!answer_) return;
    // A fault has said already that the record is not whole.
    const warc::Answer answer = answer_->finish(true);
    if (answer.is_whole) return;
    complain(file_,
             answer.truncated.empty()
                 ? "the payload is incomplete or does not match its encoding"
                 : fmt::format("the payload is incomplete (WARC-Truncated: {})", answer.truncated));
    is_damaged_ = true;
  }

  void fault(const warc::Fault& fault) override {
    if (is_wanted_ || arguments_.offset) complain(file_, fault.text);
    // The user's offset must be the beginning of a record.
    is_damaged_ |= arguments_.offset.has_value();
  }

  bool is_satisfied() const override {
    return is_found_ || terminal::standard_output().failure() ||
           (is_damaged_ && arguments_.offset && !is_wanted_);
  }

  bool is_found() const { return is_found_; }
  bool is_damaged() const { return is_damaged_; }

 private:
  // Without a URL and an offset, the first record matches. A URL matches only records that an index
  // lists.
  bool does_match(const warc::RecordHead& head) const {
    if (arguments_.url.empty()) return true;
    return is_indexed(head) &&
           (head.target_uri() == arguments_.url || warc::capture_key(head.target_uri()) == key_);
  }

  const CatArguments& arguments_;
  std::string key_;
  std::string file_;
  PrintedPayload output_;
  std::optional<warc::AnswerReader> answer_;
  bool is_wanted_ = false;
  bool is_found_ = false;
  bool is_damaged_ = false;
};

Result<void> print_record(const CatArguments& arguments, RecordPrinter& printer) {
  if (!arguments.offset) return store::walk(arguments.file, printer);
  auto source = store::WarcSource::open(arguments.file);
  if (!source) return fail(std::move(source).error());
  if (auto named = (*source)->check_names(); !named) return named;
  // In a package it is an offset into the first archive.
  const auto has_archive = (*source)->next_archive();
  if (!has_archive) return fail(has_archive.error().copy());
  if (!*has_archive) return fail(Errc::malformed, "there are no files in archive/");
  if (auto skipped = (*source)->skip(*arguments.offset); !skipped) return skipped;
  return store::walk_archive(**source, printer);
}

void declare_warc_cat(options::Table& table, CatArguments& arguments) {
  table.summary("Print a stored record or a part of it.");
  table.word(options::file(arguments.file), "WARC, ARC or WACZ; - is standard input");
  table.option("offset", options::count(arguments.offset),
               "print the record at this offset; see warc ls");
  table.option("url", options::text(arguments.url, "URL"), "print the first capture of URL");
  table.flag("block", arguments.block, "print only the record without its WARC header");
  table.flag("payload", arguments.payload, "print only the decoded body");
  table.flag("raw", arguments.raw, "with --payload: do not decompress the body");
}

int run_warc_cat(CatArguments& arguments) {
  RecordPrinter printer(arguments);
  const auto printed = print_record(arguments, printer);
  if (terminal::standard_output().failure()) return kFileFailed;
  if (!printed) {
    complain(arguments.file, printed.error().message());
    return kFileFailed;
  }
  if (!printer.is_found()) complain(arguments.file, "no such record");
  return printer.is_found() && !printer.is_damaged() ? kOk : kFailed;
}

}  // namespace

constinit const Command warc_cat_command = command_of<declare_warc_cat, run_warc_cat>(
    "warc cat", "FILE [--offset N | --url URL]", "print a record, or its payload");

}  // namespace gossamer::cli

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/beneath.h"
#include "store/warc_names.h"
#include "store/warc_walk.h"
#include "warc/answer_reader.h"

namespace gossamer::store {

// Writes the payloads of responses and resources to files, in one folder per host. It follows no
// links and overwrites nothing.
class PayloadFiles final : public RecordVisitor, private warc::PayloadSink {
 public:
  enum class Fault : std::uint8_t { warning, damaged, unwritable };
  struct Events {
    // A file was written: its name in the folder, and its URL. Return false to stop.
    std::move_only_function<bool(std::string_view file, std::string_view url)> on_file;
    // A problem of the archive or of a file.
    std::move_only_function<void(Fault fault, std::string_view archive, std::string_view text)>
        on_fault;
  };
  struct Options {
    bool is_raw = false;  // payloads are not decompressed
  };

  // Creates the folder if necessary.
  static Result<std::unique_ptr<PayloadFiles>> open(const std::string& folder, Options options,
                                                    Events events);

  void begin_archive(const WarcSource& source) override { archive_ = source.name(); }
  void begin_record(const warc::RecordHead& head, const warc::Extent& extent) override;
  void block(Bytes piece) override;
  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override;
  void fault(const warc::Fault& fault) override;
  bool is_satisfied() const override { return is_satisfied_; }

 private:
  PayloadFiles(FileHandle root, Options options, Events events);
  void put(Bytes piece) override;
  // Fails with Errc::exists if the file exists.
  Result<FileHandle> create(const PayloadNames::Name& name) const;
  void remove(const PayloadNames::Name& name) const;
  void create_file();
  void fail_with(const Error& error);

  const FileHandle root_;
  const Options options_;
  Events events_;
  std::string archive_;
  PayloadNames names_;
  PayloadNames::Name name_;
  FileHandle file_;
  const warc::RecordHead* head_ = nullptr;
  std::optional<warc::AnswerReader> reader_;
  bool has_failed_ = false;
  bool is_satisfied_ = false;
};

}  // namespace gossamer::store

#include "cli/document_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace gossamer::cli {

options::Value charset_value(std::optional<html::Encoding>& charset) {
  return options::custom("LABEL", [&charset](const std::string& label) {
    charset = html::encoding_from_label(label);
    return charset ? std::string() : "unknown encoding " + label;
  });
}

options::Value base_value(std::optional<url::Url>& base) {
  return options::custom("URL", [&base](const std::string& text) {
    auto url = url::Url::parse(text);
    if (!url) return text + " is not a URL";
    base = std::move(*url);
    return std::string();
  });
}

struct DocumentFile::Stream {
  std::FILE* file = nullptr;
  ~Stream() {
    if (file != nullptr && file != stdin) std::fclose(file);
  }
};

DocumentFile::DocumentFile(const std::string& path, const html::SniffOptions& options)
    : stream_(std::make_unique<Stream>()), decoder_(options), bytes_(64 * 1024, '\0') {
  stream_->file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (stream_->file == nullptr) failure_ = std::strerror(errno);
}

DocumentFile::~DocumentFile() = default;

std::string_view DocumentFile::next() {
  while (failure_.empty() && !is_finished_) {
    const std::size_t size = std::fread(bytes_.data(), 1, bytes_.size(), stream_->file);
    if (std::ferror(stream_->file) != 0) {
      failure_ = std::strerror(errno);
      break;
    }
    is_finished_ = size == 0;
    const std::string_view text =
        is_finished_ ? decoder_.finish(scratch_)
                     : decoder_.decode(std::string_view(bytes_).substr(0, size), scratch_);
    if (!text.empty()) return text;
  }
  return {};
}

html::Encoding DocumentFile::encoding() const {
  return decoder_.sniffed() ? decoder_.sniffed()->encoding : html::Encoding::utf_8;
}

}  // namespace gossamer::cli

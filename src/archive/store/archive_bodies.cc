#include "store/archive_bodies.h"

#include <fmt/format.h>

namespace gossamer::store {
namespace {

constexpr std::string_view kBodyMark = "-body-";
constexpr std::string_view kBodyEnding = ".part";

}  // namespace

std::string ArchiveBodies::new_name() {
  return fmt::format("{}{}{}{}", name_, kBodyMark, ++last_, kBodyEnding);
}

void ArchiveBodies::remove(const std::string& name) {
  // If it stays, the next process removes it.
  static_cast<void>(files_.remove(name));
}

bool ArchiveBodies::is_left_over(std::string_view file, std::string_view name) {
  if (!file.starts_with(name) || !file.ends_with(kBodyEnding)) return false;
  return file.substr(name.size()).starts_with(kBodyMark);
}

}  // namespace gossamer::store

#include "tests/simulated/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {

namespace {

using async::OpenMode;

void overwrite(std::vector<std::byte>& content, std::uint64_t offset, Bytes bytes) {
  if (bytes.empty()) return;
  const auto end = static_cast<std::size_t>(offset) + bytes.size();
  if (content.size() < end) content.resize(end);
  std::memcpy(content.data() + offset, bytes.data(), bytes.size());
}

std::string to_text(const std::vector<std::byte>& bytes) { return std::string(as_text(bytes)); }

}  // namespace

DiskOptions DiskOptions::stormy(base::Random& random) {
  DiskOptions options;
  const Duration a = draw({1us, 50ms}, random);
  const Duration b = draw({1us, 50ms}, random);
  options.delay = {std::min(a, b), std::max(a, b)};
  options.short_transfer = random.unit();
  const double fails_most = random.chance(0.5) ? 0.02 : 0.0;
  options.fails = random.unit() * fails_most;
  options.unsynced_survives = random.unit();
  return options;
}

std::string describe(const DiskOptions& options) {
  const std::string delay =
      base::to_string(options.delay.least) + " to " + base::to_string(options.delay.most);
  return fmt::format("  {:<20}{}\n  {:<20}{:.3f}\n  {:<20}{:.3f}\n  {:<20}{}\n  {:<20}{:.3f}\n",
                     "disk delay", delay, "short_transfer", options.short_transfer, "fails",
                     options.fails, "bytes_max", options.bytes_max, "unsynced_survives",
                     options.unsynced_survives);
}

Disk::Disk(const DiskOptions& options, std::uint64_t seed) : options_(options), random_(seed) {
  CHECK(options.delay.valid());
}

int Disk::fault(double chance) {
  const bool fails = random_.chance(chance);
  if (before_operation_) before_operation_();
  if (is_unplugged_) return EIO;
  const auto injected = failures_.find(++operations_);
  if (injected != failures_.end()) return injected->second;
  return fails ? EIO : 0;
}

void Disk::fail_operation(std::uint64_t n, int error_number) {
  CHECK(n > 0 && error_number > 0);
  failures_[operations_ + n] = error_number;
}

std::size_t Disk::transfer_size(std::size_t wanted) {
  const bool shorter = random_.chance(options_.short_transfer);
  return shorter && wanted > 1 ? draw({1, wanted}, random_) : wanted;
}

std::int64_t Disk::open(const std::string& path, OpenMode mode, std::shared_ptr<SimFile>& opened) {
  if (const int error = fault(0)) return -error;
  const auto found = files_.find(path);
  if (found == files_.end()) {
    if (mode == OpenMode::read) return -ENOENT;
    opened = files_[path] = std::make_shared<SimFile>();
    return 0;
  }
  if (mode == OpenMode::write_new) return -EEXIST;
  opened = found->second;
  if (mode == OpenMode::write_truncate) {
    bytes_used_ -= opened->content.size();
    opened->content.clear();
  }
  return 0;
}

std::int64_t Disk::read(const SimFile& file, std::uint64_t offset, MutableBytes into) {
  if (const int error = fault(options_.fails)) return -error;
  if (file.crashed) return -EIO;
  if (offset >= file.content.size() || into.empty()) return 0;
  const auto begin = static_cast<std::size_t>(offset);
  const std::size_t size = transfer_size(std::min(into.size(), file.content.size() - begin));
  std::memcpy(into.data(), file.content.data() + begin, size);
  return static_cast<std::int64_t>(size);
}

std::int64_t Disk::write(SimFile& file, std::uint64_t offset, Bytes bytes) {
  if (const int error = fault(options_.fails)) return -error;
  if (file.crashed) return -EIO;
  if (bytes.empty()) return 0;
  std::uint64_t size = transfer_size(bytes.size());
  // Existing bytes can always be overwritten.
  const std::uint64_t room = is_full_ ? 0 : options_.bytes_max - bytes_used_;
  const std::uint64_t end_max = file.content.size() + room;
  if (offset >= end_max) return -ENOSPC;
  size = std::min(size, end_max - offset);
  const Bytes written = bytes.first(static_cast<std::size_t>(size));
  const std::size_t before = file.content.size();
  overwrite(file.content, offset, written);
  bytes_used_ += file.content.size() - before;
  file.unsynced.push_back({offset, {written.begin(), written.end()}});
  return static_cast<std::int64_t>(size);
}

std::int64_t Disk::sync(SimFile& file) {
  if (const int error = fault(options_.fails)) return -error;
  if (file.crashed) return -EIO;
  file.durable = file.content;
  file.unsynced.clear();
  file.has_durable_name = true;
  return 0;
}

std::int64_t Disk::truncate(std::string_view path, std::uint64_t bytes) {
  if (const int error = fault(options_.fails)) return -error;
  const auto found = files_.find(path);
  if (found == files_.end()) return -ENOENT;
  SimFile& file = *found->second;
  bytes_used_ -= file.content.size();
  file.content.resize(static_cast<std::size_t>(bytes));
  bytes_used_ += file.content.size();
  file.unsynced.push_back({.offset = bytes, .bytes = {}, .is_end = true});
  return 0;
}

std::int64_t Disk::rename(const std::string& from, const std::string& to) {
  if (const int error = fault(options_.fails)) return -error;
  const auto found = files_.find(from);
  if (found == files_.end()) return -ENOENT;
  std::shared_ptr<SimFile> file = std::move(found->second);
  files_.erase(found);
  if (file->durable_name.empty()) file->durable_name = from;
  files_[to] = std::move(file);
  return 0;
}

std::int64_t Disk::remove(const std::string& path) {
  if (const int error = fault(options_.fails)) return -error;
  const auto found = files_.find(path);
  if (found == files_.end()) return -ENOENT;
  bytes_used_ -= found->second->content.size();
  removed_.emplace_back(path, std::move(found->second));
  files_.erase(found);
  return 0;
}

std::int64_t Disk::sync_names() {
  if (const int error = fault(options_.fails)) return -error;
  removed_.clear();
  for (const auto& [path, file] : files_) {
    file->has_durable_name = true;
    file->durable_name.clear();
  }
  return 0;
}

void Disk::recover(SimFile& file) {
  for (const SimFile::Write& write : file.unsynced) {
    if (!random_.chance(options_.unsynced_survives)) continue;
    if (write.is_end) {
      file.durable.resize(static_cast<std::size_t>(write.offset));
      continue;
    }
    const bool torn = random_.chance(0.5);
    const std::size_t size = torn ? draw({0, write.bytes.size()}, random_) : write.bytes.size();
    overwrite(file.durable, write.offset, Bytes(write.bytes).first(size));
    file.has_durable_name = true;
  }
}

void Disk::crash() {
  std::map<std::string, std::shared_ptr<SimFile>, std::less<>> left;
  bytes_used_ = 0;
  for (auto& [path, file] : std::exchange(removed_, {})) {
    if (!random_.chance(options_.unsynced_survives)) files_.try_emplace(path, std::move(file));
  }
  for (const auto& [path, file] : files_) {
    recover(*file);
    file->crashed = true;
    if (!file->has_durable_name) continue;
    bytes_used_ += file->durable.size();
    const bool is_old = !file->durable_name.empty() && !random_.chance(options_.unsynced_survives);
    left.emplace(is_old ? file->durable_name : path, std::make_shared<SimFile>(SimFile{
                                                         .content = file->durable,
                                                         .durable = std::move(file->durable),
                                                         .has_durable_name = true,
                                                     }));
  }
  files_ = std::move(left);
}

std::uint64_t Disk::unsynced_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, file] : files_) {
    for (const SimFile::Write& write : file->unsynced) bytes += write.bytes.size();
  }
  return bytes;
}

std::vector<std::string> Disk::names() const {
  std::vector<std::string> names;
  for (const auto& [path, file] : files_) names.push_back(path);
  return names;
}

std::optional<std::string> Disk::content(std::string_view path) const {
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return to_text(found->second->content);
}

std::optional<std::string> Disk::durable_content(std::string_view path) const {
  const auto found = files_.find(path);
  if (found == files_.end() || !found->second->has_durable_name) return std::nullopt;
  return to_text(found->second->durable);
}

void Disk::put(const std::string& path, std::string_view content) {
  const Bytes bytes = as_bytes(content);
  SimFile file;
  file.content.assign(bytes.begin(), bytes.end());
  file.durable = file.content;
  file.has_durable_name = true;
  bytes_used_ += file.content.size();
  auto& place = files_[path];
  if (place != nullptr) bytes_used_ -= place->content.size();
  place = std::make_shared<SimFile>(std::move(file));
}

}  // namespace gossamer::sim

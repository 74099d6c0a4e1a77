#include "exports/mirror_copy.h"

#include <filesystem>
#include <system_error>

#include "store/beneath.h"

namespace gossamer::exports {
namespace {

namespace fs = std::filesystem;

Error cannot_replace(const std::string& path, const std::error_code& error) {
  return Error::from_errno(error.value(), "cannot replace " + path);
}

}  // namespace

bool MirrorCopy::has_crawl() const {
  std::error_code ignored;
  return fs::exists(crawl() + "/job.toml", ignored);
}

bool MirrorCopy::has_copy() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    if (!entry.path().filename().string().starts_with('.')) return true;
  }
  return false;
}

Result<void> MirrorCopy::check() const {
  std::error_code ignored;
  if (fs::is_symlink(crawl(), ignored)) return fail(store::refusal_of_link(crawl()));
  if (!fs::exists(path_, ignored) || fs::is_empty(path_, ignored)) return {};
  if (fs::exists(crawl(), ignored)) return {};
  return fail(Errc::exists,
              path_ + " contains files that are not a mirror; use an empty or a new folder");
}

void MirrorCopy::clear_next() const {
  std::error_code ignored;
  fs::remove_all(next(), ignored);
}

bool MirrorCopy::has_next() const {
  std::error_code ignored;
  return fs::exists(next(), ignored);
}

Result<void> MirrorCopy::replace() const {
  std::error_code error;
  const std::string old = inside(".old");
  fs::remove_all(old, error);
  fs::create_directory(old, error);
  if (error) return fail(cannot_replace(old, error));
  for (const auto& entry : fs::directory_iterator(next(), error)) {
    const std::string name = entry.path().filename();
    const std::string place = inside(name);
    std::error_code failure;
    if (fs::exists(place, failure)) fs::rename(place, old + "/" + name, failure);
    if (!failure) fs::rename(entry.path(), place, failure);
    if (failure) return fail(cannot_replace(place, failure));
  }
  if (error) return fail(cannot_replace(next(), error));
  fs::remove_all(old, error);
  fs::remove_all(next(), error);
  return {};
}

}  // namespace gossamer::exports

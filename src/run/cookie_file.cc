#include "run/cookie_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "run/wall_clock.h"
#include "wire/cookies_txt.h"

namespace gossamer::run {

void load_cookies(const std::string& path, wire::CookieJar& cookies) {
  if (path.empty()) return;
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  wire::read_cookies_txt(text, wall_now(), cookies);
}

Result<void> save_cookies(const std::string& path, const wire::CookieJar& cookies) {
  if (path.empty()) return {};
  const std::string fresh = path + ".new";
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  // Cookies are as good as passwords: nobody else may read them.
  std::error_code ignored;
  std::filesystem::permissions(
      fresh, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  file << wire::write_cookies_txt(cookies, wall_now());
  file.close();
  if (!file || std::rename(fresh.c_str(), path.c_str()) != 0) {
    return fail(Errc::io_failed, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  return {};
}

}  // namespace gossamer::run

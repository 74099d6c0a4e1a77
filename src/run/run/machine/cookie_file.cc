#include "run/machine/cookie_file.h"

#include "wire/cookies_txt.h"

namespace gossamer::run {

void load_cookies(Machine& machine, const std::string& path, wire::CookieJar& cookies) {
  if (path.empty()) return;
  wire::read_cookies_txt(machine.read_file(path), machine.now(), cookies);
}

Result<void> save_cookies(Machine& machine, const std::string& path,
                          const wire::CookieJar& cookies) {
  if (path.empty()) return {};
  return machine.write_file(path, wire::write_cookies_txt(cookies, machine.now()));
}

}  // namespace gossamer::run

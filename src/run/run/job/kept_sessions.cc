#include "run/job/kept_sessions.h"

#include "run/machine/cookie_file.h"

namespace gossamer::run {
namespace {

// Returns the TLS sessions that may be stored; nullptr: none. With a proxy, none are: their keys
// contain its password.
net::TlsContext* stored_tls(WebAccess& web) {
  return web.client().options().proxies.hosts().empty() ? web.tls() : nullptr;
}

}  // namespace

void KeptSessions::begin(WebAccess& web, wire::CookieJar& jar, std::size_t loop) const {
  if (job_ != nullptr) {
    job_->keep_cookies(jar, loop, files_);
    if (net::TlsContext* const tls = stored_tls(web)) job_->restore_sessions(*tls, loop);
  } else {
    load_cookies(machine_, files_.load, jar);
    load_cookies(machine_, files_.jar, jar);
  }
  for (const wire::Cookie& cookie : logins_) jar.put(cookie, machine_.now());
}

void KeptSessions::end(WebAccess& web) const {
  if (job_ == nullptr) return;
  if (net::TlsContext* const tls = stored_tls(web)) job_->store_sessions(*tls);
}

Result<void> KeptSessions::save(const wire::CookieJar& jar) const {
  return save_cookies(machine_, files_.jar, jar);
}

}  // namespace gossamer::run

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/result.h"
#include "run/job/job_run.h"
#include "run/machine/machine.h"
#include "run/machine/web_access.h"
#include "settings/crawl_settings.h"
#include "wire/cookie.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// The sessions that a crawl has with its sites, which outlive a run: cookies and TLS sessions.
class KeptSessions {
 public:
  // `job` is nullptr if there is none; `logins` are the cookies of logins.
  // BORROWS: all but `logins`.
  KeptSessions(Machine& machine, JobRun* job, const CookieFiles& files,
               std::vector<wire::Cookie> logins)
      : machine_(machine), job_(job), files_(files), logins_(std::move(logins)) {}

  // Gives a loop the sessions of its sites at its start, on its thread.
  void begin(WebAccess& web, wire::CookieJar& jar, std::size_t loop) const;
  // Stores the TLS sessions of a loop after its last request, on its thread. Cookies are stored
  // when they change.
  void end(WebAccess& web) const;
  // Writes the cookie jar of the user, if there is one.
  Result<void> save(const wire::CookieJar& jar) const;

 private:
  Machine& machine_;
  JobRun* const job_;
  const CookieFiles& files_;
  const std::vector<wire::Cookie> logins_;
};

}  // namespace gossamer::run

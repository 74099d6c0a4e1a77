#pragma once

#include <optional>
#include <string>

#include "bench/support/child_process.h"

namespace gossamer::bench {

// `gossamer serve FILE` as a child process on kServerCore.
class ServeProcess {
 public:
  // `folder` is for a file of its own. Returns when it listens; it reads the archive meanwhile.
  ServeProcess(const std::string& archive, const std::string& folder);

  // Waits until the archive has been read: this page of it is replayed.
  void wait_for(const std::string& url) const;

  const std::string& origin() const { return origin_; }  // "http://127.0.0.1:40000"
  const std::string& token() const { return token_; }
  const std::string& replay() const { return replay_; }  // "http://127.0.0.1:40001/r/TOKEN"

 private:
  std::optional<ChildProcess> process_;
  std::string origin_;
  std::string token_;
  std::string replay_;
};

}  // namespace gossamer::bench

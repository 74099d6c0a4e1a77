#pragma once

#include "async/scope.h"

namespace gossamer::async {

// Cancels a scope when it is destroyed: a task whose siblings must not outlive it, even if it
// throws. BORROWS: the scope.
class CancelAtEnd {
 public:
  explicit CancelAtEnd(Scope& scope) noexcept : scope_(scope) {}
  CancelAtEnd(const CancelAtEnd&) = delete;
  CancelAtEnd& operator=(const CancelAtEnd&) = delete;
  ~CancelAtEnd() { scope_.cancel(); }

 private:
  Scope& scope_;
};

}  // namespace gossamer::async

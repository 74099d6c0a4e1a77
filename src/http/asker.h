#pragma once

#include "http/exchange_step.h"
#include "http/request.h"

namespace gossamer::http {

// Who wants an answer, and can say what he asks for whenever that is to be sent: mostly once, twice
// if a kept connection turns out to be dead. So a request need not be there while its answer is
// waited for, which is where most of them are, most of the time.
class Asker {
 public:
  // The same every time: one that is there, or `room`, made to be it.
  // BORROWS: until the asker or the room dies.
  virtual const Request& request(Request& room) const = 0;
  // How far the exchange has come.
  virtual void note(ExchangeStep step) noexcept = 0;

 protected:
  Asker() = default;
  Asker(const Asker&) = default;
  Asker& operator=(const Asker&) = default;
  ~Asker() = default;
};

// Asks for what stands in a request. BORROWS: the request.
class RequestAsker final : public Asker {
 public:
  explicit RequestAsker(const Request& request) noexcept : request_(request) {}

  const Request& request(Request& /*room*/) const override { return request_; }
  void note(ExchangeStep step) noexcept override {
    if (request_.step != nullptr) *request_.step = step;
  }

 private:
  const Request& request_;
};

}  // namespace gossamer::http

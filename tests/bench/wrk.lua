-- wrk -s wrk.lua URL -- FILE   asks for the addresses in FILE, one a line, and prints what came back as JSON in its last line

-- A large prime, so that all pages are visited in an order that the processor cannot prefetch.
local STRIDE = 7919
local requests, turn = {}, 0

function init(args)
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format(nil, path) end
end

function request()
  turn = (turn + STRIDE) % #requests
  return requests[turn + 1]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('{"answered":%d,"ms":%.3f,"errors":%d}\n', summary.requests, summary.duration / 1000,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end

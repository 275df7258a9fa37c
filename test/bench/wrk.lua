-- Sends the requests of a file one after another, and prints what came of them as one line of JSON.

local file = io.open(os.getenv('REQUESTS'), 'rb')
local requests = {}
for request in file:read('*a'):gmatch('%Z+') do
  requests[#requests + 1] = request
end
file:close()

local at = 0

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"answered":%d,"tookMicroseconds":%d,"p50":%d,"p99":%d,"refused":%d,"failed":%d}\n',
    summary.requests,
    summary.duration,
    latency:percentile(50),
    latency:percentile(99),
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end

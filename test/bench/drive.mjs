import { driveConnection } from './connection.mjs'
import { processorMs } from './measure.mjs'
import { visits } from './visitors.mjs'

const differentRequests = 5_000

/**
 * Send so many requests over kept-alive connections, each as soon as the one before it is answered.
 * Throws unless every answer is a redirect. Latencies are in milliseconds; processor time is what the
 * server spends on a request with all its threads, counting the visit included.
 */
export async function drive({ url, shortCodes, child }, { amount, connections }) {
  const { hostname, port, host } = new URL(url)
  const requests = visits(differentRequests, shortCodes).map(visit => encode(visit, host))
  const times = new Float64Array(amount)
  const statuses = new Map()
  let left = amount
  let answered = 0
  const takeNext = () => {
    left -= 1
    return left >= 0
  }
  const onAnswer = (ms, status) => {
    times[answered++] = ms
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  const usedBefore = processorMs(child.pid)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const first = Math.floor((index * differentRequests) / connections)
      return driveConnection({ host: hostname, port }, requests, first, takeNext, onAnswer)
    }),
  )
  const tookMs = performance.now() - startedAt
  if (statuses.get(302) !== amount) {
    throw new Error(
      `${url} answered ${JSON.stringify([...statuses])} instead of ${amount} times 302.`,
    )
  }
  times.sort()
  return {
    perSecond: (amount * 1000) / tookMs,
    processorMicroseconds: ((processorMs(child.pid) - usedBefore) * 1000) / amount,
    p50: times[Math.floor(amount * 0.5)],
    p99: times[Math.floor(amount * 0.99)],
  }
}

/** A request as it goes over the wire. */
function encode({ path, headers }, host) {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}

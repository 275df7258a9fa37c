import { once } from 'node:events'
import autocannon from 'autocannon'
import { processorMs } from './measure.mjs'
import { visits } from './visitors.mjs'

const requestsPerConnection = 200

/**
 * Send so many requests over kept-alive connections, each as soon as the one before it is answered.
 * Throws unless every answer is a redirect. Latencies are in milliseconds; processor time is what the
 * server spends on a request with all its threads, counting the visit included.
 */
export async function drive({ url, shortCodes, child }, { amount, connections }) {
  const times = new Float64Array(amount)
  let answered = 0
  let lastAt = 0
  const instance = autocannon({
    url,
    amount,
    connections,
    setupClient: client => client.setRequests(visits(requestsPerConnection, shortCodes)),
  })
  instance.on('response', (_client, _status, _bytes, time) => {
    times[answered++] = time
    lastAt = performance.now()
  })
  const startedAt = performance.now()
  const usedBefore = processorMs(child.pid)
  const [result] = await once(instance, 'done')
  if (result['3xx'] !== amount) {
    throw new Error(
      `${url} answered ${result['3xx']} of ${amount} requests with a redirect: ` +
        `${result.non2xx - result['3xx']} others, ${result.errors} errors, ${result.timeouts} time-outs.`,
    )
  }
  times.sort()
  return {
    perSecond: (amount * 1000) / (lastAt - startedAt),
    processorMicroseconds: ((processorMs(child.pid) - usedBefore) * 1000) / amount,
    p50: times[Math.floor(amount * 0.5)],
    p99: times[Math.floor(amount * 0.99)],
  }
}

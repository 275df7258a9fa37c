import { setTimeout as pause } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { processorMs } from './measure.mjs'
import { requestsTo } from './requests.mjs'

/** More than any server answers here: room for their latencies. */
const mostPerSecond = 250_000

/**
 * Send requests for so many seconds over kept-alive connections, each as soon as the one before it is
 * answered. Throws unless every answer is a redirect. Latencies are in milliseconds; processor time is what
 * the server spends on a request with all its threads, counting the visit included.
 */
export async function drive(server, { seconds, connections }) {
  const { requests, answers, to } = prepare(server, seconds * mostPerSecond)
  const usedBefore = processorMs(server.child.pid)
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let at = Math.floor((index * requests.length) / connections)
      const next = () => {
        if (performance.now() >= endAt) connection.end()
        else connection.send(requests[at++ % requests.length])
      }
      const connection = await openConnection(to, (ms, status) => {
        answers.add(ms, status)
        next()
      })
      next()
      await connection.ended
    }),
  )
  const tookMs = performance.now() - startedAt
  const usedMs = processorMs(server.child.pid) - usedBefore
  const { answered, ...latencies } = answers.all()
  return {
    answered,
    cutOff: 0,
    perSecond: (answered * 1000) / tookMs,
    processorMicroseconds: (usedMs * 1000) / answered,
    ...latencies,
  }
}

/**
 * Send so many requests a second, evenly, for so many seconds: what visitors feel of a server that is not
 * driven to its limit. Latencies are in milliseconds.
 */
export async function driveCalmly(server, { perSecond, seconds, connections }) {
  const rounds = Math.ceil((perSecond * seconds) / connections)
  const { requests, answers, to } = prepare(server, rounds * connections)
  const everyMs = (connections * 1000) / perSecond
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let answered
      const connection = await openConnection(to, (ms, status) => {
        answers.add(ms, status)
        answered()
      })
      const firstAt = performance.now() + (everyMs * index) / connections
      for (let round = 0; round < rounds; round += 1) {
        await pause(firstAt + round * everyMs - performance.now())
        connection.send(requests[(round * connections + index) % requests.length])
        await new Promise(resolve => {
          answered = resolve
        })
      }
      connection.end()
      await connection.ended
    }),
  )
  return { cutOff: 0, ...answers.all() }
}

function prepare(server, most) {
  const { hostname: host, port } = new URL(server.url)
  return {
    requests: requestsTo(server),
    answers: collect(server.url, most),
    to: { host, port },
  }
}

function collect(url, most) {
  const times = new Float64Array(most)
  let answered = 0
  return {
    add(ms, status) {
      if (status !== 302) throw new Error(`${url} answered ${status} instead of 302.`)
      times[answered++] = ms
    },
    all() {
      const sorted = times.subarray(0, answered).sort()
      return {
        answered,
        p50: sorted[Math.floor(answered * 0.5)],
        p99: sorted[Math.floor(answered * 0.99)],
      }
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { processorMs } from './measure.mjs'
import { visits } from './visitors.mjs'

const differentRequests = 5_000

/**
 * Send so many requests over kept-alive connections, each as soon as the one before it is answered.
 * Throws unless every answer is a redirect. Latencies are in milliseconds; processor time is what the
 * server spends on a request with all its threads, counting the visit included.
 */
export async function drive(server, { amount, connections }) {
  const { requests, answers, host, port } = prepare(server, amount)
  let left = amount
  const usedBefore = processorMs(server.child.pid)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let at = Math.floor((index * differentRequests) / connections)
      const next = () => {
        left -= 1
        if (left < 0) connection.end()
        else connection.send(requests[at++ % differentRequests])
      }
      const connection = await openConnection({ host, port }, (ms, status) => {
        answers.add(ms, status)
        next()
      })
      next()
      await connection.ended
    }),
  )
  const tookMs = performance.now() - startedAt
  return {
    perSecond: (amount * 1000) / tookMs,
    processorMicroseconds: ((processorMs(server.child.pid) - usedBefore) * 1000) / amount,
    ...answers.latencies(),
  }
}

/**
 * Send so many requests a second, evenly, for so many seconds: what visitors feel of a server that is not
 * driven to its limit. Gives latencies as `drive` does.
 */
export async function driveCalmly(server, { perSecond, seconds, connections }) {
  const rounds = Math.ceil((perSecond * seconds) / connections)
  const { requests, answers, host, port } = prepare(server, rounds * connections)
  const everyMs = (connections * 1000) / perSecond
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let answered
      const connection = await openConnection({ host, port }, (ms, status) => {
        answers.add(ms, status)
        answered()
      })
      const firstAt = performance.now() + (everyMs * index) / connections
      for (let round = 0; round < rounds; round += 1) {
        await pause(firstAt + round * everyMs - performance.now())
        connection.send(requests[(round * connections + index) % differentRequests])
        await new Promise(resolve => {
          answered = resolve
        })
      }
      connection.end()
      await connection.ended
    }),
  )
  return answers.latencies()
}

function prepare({ url, shortCodes }, amount) {
  const { hostname, port, host } = new URL(url)
  const requests = visits(differentRequests, shortCodes).map(visit => encode(visit, host))
  return { requests, answers: collect(url, amount), host: hostname, port }
}

function collect(url, amount) {
  const times = new Float64Array(amount)
  const statuses = new Map()
  let answered = 0
  return {
    add(ms, status) {
      times[answered++] = ms
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },
    latencies() {
      if (statuses.get(302) !== amount) {
        const found = JSON.stringify([...statuses])
        throw new Error(`${url} answered ${found} instead of ${amount} times 302.`)
      }
      times.sort()
      return { p50: times[Math.floor(amount * 0.5)], p99: times[Math.floor(amount * 0.99)] }
    },
  }
}

/** A request as it goes over the wire. */
function encode({ path, headers }, host) {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}

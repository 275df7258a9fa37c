import { setTimeout as pause } from 'node:timers/promises'
import { openConnection } from './connection.mjs'

/**
 * Sends requests for `seconds` over kept-alive connections, each as soon as the previous one is answered.
 * Throws unless every answer has the expected status. Latencies are in milliseconds.
 */
export async function drive(url, { requests, status, seconds, connections }) {
  const answers = collect(url, status)
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let at = Math.floor((index * requests.length) / connections)
      // Each connection sends at least one request, however short the time.
      const next = () => connection.send(requests[at++ % requests.length])
      const connection = await openConnection(addressOf(url), (ms, status) => {
        answers.add(ms, status)
        if (performance.now() >= endAt) connection.end()
        else next()
      })
      next()
      await connection.ended
    }),
  )
  const tookMs = performance.now() - startedAt
  const all = answers.all()
  return { ...all, cutOff: 0, perSecond: (all.answered * 1000) / tookMs }
}

/**
 * Sends `perSecond` requests a second, evenly spaced, for `seconds`: what visitors experience of a server that
 * is not at its limit. Latencies are in milliseconds.
 */
export async function driveCalmly(url, { requests, status, seconds, connections, perSecond }) {
  const answers = collect(url, status)
  const rounds = Math.ceil((perSecond * seconds) / connections)
  const everyMs = (connections * 1000) / perSecond
  // All connections are open before the first request: fifty visitors arriving at the same moment are not a calm
  // load.
  const opened = await Promise.all(
    Array.from({ length: connections }, async () => {
      const it = { answered: () => undefined }
      it.connection = await openConnection(addressOf(url), (ms, status) => {
        answers.add(ms, status)
        it.answered()
      })
      return it
    }),
  )
  const startAt = performance.now() + everyMs
  await Promise.all(
    opened.map(async (it, index) => {
      const firstAt = startAt + (everyMs * index) / connections
      for (let round = 0; round < rounds; round += 1) {
        await pause(Math.max(0, firstAt + round * everyMs - performance.now()))
        it.connection.send(requests[(round * connections + index) % requests.length])
        await new Promise(resolve => {
          it.answered = resolve
        })
      }
      it.connection.end()
      await it.connection.ended
    }),
  )
  return { ...answers.all(), cutOff: 0, perSecond }
}

function addressOf(url) {
  const { hostname: host, port } = new URL(url)
  return { host, port }
}

function collect(url, expected) {
  const times = []
  return {
    add(ms, status) {
      if (status !== expected) throw new Error(`${url} answered ${status} instead of ${expected}.`)
      times.push(ms)
    },
    all() {
      const sorted = Float64Array.from(times).sort()
      const at = part => sorted[Math.floor(sorted.length * part)]
      return { answered: sorted.length, p50: at(0.5), p99: at(0.99) }
    },
  }
}

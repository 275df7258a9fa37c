import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { browser } from './server.ts'

/** Visitors that follow a link again and again, each over its own connection. */
export interface Visitors {
  /** When each redirect arrived, by `performance.now()`. */
  readonly answeredAt: readonly number[]
  /** Statuses that are not redirects. */
  readonly otherwise: readonly number[]
  /** The longest wait for an answer, in milliseconds. */
  slowestMs(): number
  /** The longest wait of the fastest 99 % of visits, in milliseconds. */
  mostWaitedMs(): number
  /** Sends no more; resolves when the last answer is there. */
  stop(): Promise<void>
}

/** A visitor whose connection breaks stops. */
export function sendVisitors(
  url: string,
  { visitors = 10, pauseMs = 5 }: { visitors?: number; pauseMs?: number } = {},
): Visitors {
  const answeredAt: number[] = []
  const otherwise: number[] = []
  const waitsMs: number[] = []
  let slowestMs = 0
  let isOpen = true

  async function follow(agent: Agent): Promise<void> {
    while (isOpen) {
      const askedAt = performance.now()
      const status = await statusOf(url, agent)
      if (status === undefined) return
      const now = performance.now()
      slowestMs = Math.max(slowestMs, now - askedAt)
      waitsMs.push(now - askedAt)
      if (status === 302) answeredAt.push(now)
      else otherwise.push(status)
      await delay(pauseMs)
    }
  }

  const agents = Array.from({ length: visitors }, () => new Agent({ keepAlive: true }))
  const done = Promise.all(agents.map(follow))
  return {
    answeredAt,
    otherwise,
    slowestMs: () => slowestMs,
    mostWaitedMs: () => waitsMs.toSorted((a, b) => a - b)[Math.floor(waitsMs.length * 0.99)] ?? 0,
    async stop() {
      isOpen = false
      await done
      for (const agent of agents) agent.destroy()
    },
  }
}

/** Undefined if the connection broke before the answer was complete. */
function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise(resolve => {
    const request = get(url, { agent, headers: { 'user-agent': browser } }, response => {
      response.once('close', () => resolve(response.complete ? response.statusCode : undefined))
      response.resume()
    })
    request.once('error', () => resolve(undefined))
  })
}

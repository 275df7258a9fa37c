import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { browser, createLink, token } from '../../e2e/server.ts'
import type { Cluster } from './cluster.ts'

/** A link that visitors follow. */
export interface FollowedLink {
  readonly id: string
  readonly shortCode: string
}

/** The answers that clients got. */
export interface Load {
  readonly followed: readonly FollowedLink[]
  /** Links answered with 201: original URLs by short code, newest last. */
  readonly made: ReadonlyMap<string, string>
  /** When each of them was answered, by `performance.now()`. */
  readonly madeAt: readonly number[]
  /** The node and the time, by `performance.now()`, of each answered redirect. */
  readonly redirects: readonly { readonly node: string; readonly at: number }[]
  /** Visits that got no redirect: the node (the balancer itself has no name), the status or error, and the time. */
  readonly unfollowed: readonly {
    readonly node: string
    readonly status: number | string
    readonly at: number
  }[]
  /** Failed requests to create a link: their number by status or error. */
  readonly unmade: ReadonlyMap<number | string, number>
  /** How long each redirect took, in milliseconds. */
  readonly waitsMs: readonly number[]
  stop(): Promise<void>
}

const visitors = 10
const makers = 4
const followedLinks = 20
const pauseMs = 10

/** Lets visitors follow links that all nodes know, and clients create new ones, until `stop`. */
export async function sendLoad(cluster: Cluster): Promise<Load> {
  const followed: FollowedLink[] = []
  for (let number = 0; number < followedLinks; number += 1) followed.push(await createLink(cluster))
  const made = new Map<string, string>()
  const madeAt: number[] = []
  const redirects: { node: string; at: number }[] = []
  const unfollowed: { node: string; status: number | string; at: number }[] = []
  const unmade = new Map<number | string, number>()
  const waitsMs: number[] = []
  let isOver = false
  for (const node of cluster.nodes) {
    for (const { shortCode } of followed) {
      await node.get(`/${shortCode}`)
      redirects.push({ node: node.name, at: performance.now() })
    }
  }

  async function follow(visitor: number, agent: Agent): Promise<void> {
    for (let number = visitor; !isOver; number += 1) {
      const path = `/${followed[number % followed.length]?.shortCode}`
      const askedAt = performance.now()
      const { status, node } = await ask('GET', path, agent)
      const at = performance.now()
      waitsMs.push(at - askedAt)
      if (status === 302) redirects.push({ node, at })
      else unfollowed.push({ node, status, at })
      await delay(pauseMs)
    }
  }

  async function make(maker: number, agent: Agent): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const original_url = `https://example.com/${maker}/${number}`
      const { status, body } = await ask('POST', '/api/v1/links', agent, { original_url })
      if (status === 201) {
        made.set(JSON.parse(body).data.shortCode, original_url)
        madeAt.push(performance.now())
      } else unmade.set(status, (unmade.get(status) ?? 0) + 1)
      await delay(pauseMs)
    }
  }

  function ask(method: string, path: string, agent: Agent, body?: object) {
    const headers = {
      'user-agent': browser,
      ...(body && { authorization: `Bearer ${token}`, 'content-type': 'application/json' }),
    }
    return new Promise<{ status: number | string; node: string; body: string }>(resolve => {
      const fail = (error: Error & { code?: string }) =>
        resolve({ status: error.code ?? error.message, node: '', body: '' })
      const sent = request(new URL(path, cluster.url), { method, agent, headers })
      sent.once('error', fail).once('response', (response: IncomingMessage) => {
        const node = String(response.headers['x-node'] ?? '')
        text(response).then(body => resolve({ status: response.statusCode ?? 0, node, body }), fail)
      })
      sent.end(body && JSON.stringify(body))
    })
  }

  const agents = Array.from({ length: visitors + makers }, () => new Agent({ keepAlive: true }))
  const work = agents.map((agent, index) =>
    index < visitors ? follow(index, agent) : make(index - visitors, agent),
  )
  return {
    ...{ followed, made, madeAt, redirects, unfollowed, unmade, waitsMs },
    async stop() {
      isOver = true
      await Promise.all(work)
      for (const agent of agents) agent.destroy()
    },
  }
}

/** The short codes of links that do not lead to their original URL. */
export async function lostOf(cluster: Cluster, { made }: Pick<Load, 'made'>): Promise<string[]> {
  const lost: string[] = []
  for (const [code, url] of made) {
    const { headers } = await cluster.get(`/${code}`)
    if (headers.get('location') !== url) lost.push(code)
  }
  return lost
}

/** The sum of the visits that the followed links show. */
export async function countedOf(cluster: Cluster, { followed }: Load): Promise<number> {
  let sum = 0
  for (const { id } of followed) {
    const { body } = await cluster.api('GET', `/links/${id}`)
    sum += body.data.visits.total
  }
  return sum
}

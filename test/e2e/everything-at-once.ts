import { Agent, request } from 'node:http'
import { browser, type Server, token } from './server.ts'

interface Ask {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether the answer is right; where the server may be busy, so is 503. */
  isRight(status: number, location: string | undefined): boolean
}

/** A link that leads to `https://example.com/` and its short code. */
export const codeOf = (link: number) => `link-${link}`

/** Makes links, a hundred at a time. */
export async function makeLinks(server: Server, count: number): Promise<void> {
  for (let first = 0; first < count; ) {
    const links = Array.from({ length: Math.min(100, count - first) }, (_, at) => ({
      original_url: `https://example.com/${codeOf(first + at)}`,
      short_code: codeOf(first + at),
    }))
    const { body } = await server.api('POST', '/links/bulk', { links })
    const { data } = body as { readonly data: readonly { readonly status: number }[] }
    // A link that the server had no time for is made in the next turn, with those behind it.
    const missing = data.findIndex(({ status }) => status === 503)
    first += missing === -1 ? links.length : missing
  }
}

/** A number stands for N, so that most are different questions. */
const questions = [
  'analytics?interval=30d&limit=N',
  'analytics?interval=90d&compare=previous&limit=N',
  'analytics.csv?interval=30d&limit=N',
  'analytics/links?interval=7d&limit=N',
  'links?search=link&per_page=N',
  'links?per_page=100',
  'analytics/live',
]

/**
 * Visits to all links by visitors from everywhere, unknown codes, new links, analytics and pages of the dashboard, all at
 * once and until `isOver`. Returns how many were answered, and the answers that were not right.
 */
export async function everythingAtOnce(server: Server, links: number, isOver: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  // Each client has an address of its own, because a server leaves room to others whatever one client asks for.
  const from = (network: string, turn: number) => ({
    authorization: `Bearer ${token}`,
    'x-forwarded-for': `${network}.${turn % 100}`,
  })
  const wrong: string[] = []
  const answered: Record<string, number> = {}
  const asks: Readonly<Record<string, (turn: number) => Ask>> = {
    visit: turn => visit(turn, (turn * 7_919) % links),
    unknown: turn => ({ path: `/nobody-${turn}`, isRight: status => status === 404 }),
    create: turn => ({
      ...{ method: 'POST', path: '/api/v1/links', headers: from('198.51.100', turn) },
      body: { original_url: `https://example.com/new/${turn}` },
      isRight: status => [201, 429, 503].includes(status),
    }),
    read: turn => ({
      path: `/api/v1/${questions[turn % questions.length]?.replace('N', String(1 + (turn % 97)))}`,
      headers: from('192.0.2', turn),
      isRight: status => [200, 429, 503].includes(status),
    }),
    dashboard: turn => ({
      path: ['/dashboard/', '/api/v1/openapi.json', '/api/v1/plugins'][turn % 3] ?? '/',
      headers: from('203.0.113', turn),
      isRight: status => [200, 429, 503].includes(status),
    }),
  }

  async function goOn(name: string, client: number): Promise<void> {
    for (let turn = client; !isOver(); turn += 100) {
      const ask = asks[name]?.(turn)
      if (ask === undefined) return
      const answer = await answerTo(server.url, ask, agent)
      answered[name] = (answered[name] ?? 0) + 1
      if (!ask.isRight(answer.status, answer.location)) {
        wrong.push(`${ask.path} ${answer.status} ${answer.location} ${answer.error ?? ''}`)
        if (answer.error !== undefined) return
      }
    }
  }

  const clients = { visit: 30, unknown: 10, create: 8, read: 16, dashboard: 6 }
  await Promise.all(
    Object.entries(clients).flatMap(([name, count]) =>
      Array.from({ length: count }, (_, client) => goOn(name, client)),
    ),
  )
  agent.destroy()
  return { answered, wrong }
}

/** Each visitor has an address and a browser of their own, and some bring a long query. */
function visit(turn: number, link: number): Ask {
  const random = Math.imul(turn, 2_654_435_761) >>> 0
  const [a, b, c] = [random & 255, (random >>> 8) & 255, (random >>> 16) & 255]
  const address =
    turn % 6 === 0 ? `2a02:${a}${b % 10}:${c}::${b}` : `${1 + (random % 220)}.${a}.${b}.${c}`
  return {
    path: `/${codeOf(link)}?utm_source=${turn % 5_000}&q=${'x'.repeat(turn % 1_500)}`,
    headers: { 'x-forwarded-for': address, 'user-agent': `${browser} ${turn % 900}` },
    isRight: (status, location) =>
      status === 302 && location === `https://example.com/${codeOf(link)}`,
  }
}

interface Answer {
  readonly status: number
  readonly location?: string | undefined
  readonly error?: string
}

function answerTo(url: string, ask: Ask, agent: Agent): Promise<Answer> {
  const { method = 'GET', path, headers, body } = ask
  const text = body === undefined ? undefined : JSON.stringify(body)
  const type = text === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise(resolve => {
    const sent = request(url + path, { method, agent, headers: { ...headers, ...type } })
    sent.on('error', ({ message }) => resolve({ status: 0, error: message }))
    sent.on('response', response => {
      const { statusCode: status = 0, headers: said } = response
      response.resume().on('close', () => resolve({ status, location: said.location }))
    })
    sent.end(text)
  })
}

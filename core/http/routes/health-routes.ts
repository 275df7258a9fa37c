import { z } from 'zod'
import { refuse } from '../../plugin/outcomes.ts'
import { type Route, route } from '../api/route/route.ts'

/** The state of everything that the program needs to be of use. */
export type Checks = Readonly<Record<string, Check>>

export interface Check {
  /** Degraded: something does not work, but links are followed. Failing: they are not. */
  readonly status: (typeof grades)[number]
  readonly note?: string
}

/** From best to worst. */
const grades = ['ok', 'degraded', 'failing'] as const

const live = z.object({ status: z.literal('ok') })
/** The overall state, and that of each part. */
export const readySchema = z.object({
  status: z.enum(grades),
  checks: z.record(z.string(), z.object({ status: z.enum(grades), note: z.string().nullable() })),
})

/**
 * `/live`: the process runs. `/ready`: 503 if links cannot be followed, otherwise 200, even if other things do
 * not work: a load balancer must go on sending visitors. `/tls`: 200 for a host that is served, so that a proxy gets no
 * certificate for others. Anyone may ask.
 */
export function healthRoutes(
  checks: () => Promise<Checks>,
  isServed: (host: string) => boolean,
): readonly Route[] {
  const shared = {
    group: 'Health',
    scope: 'anyone',
    // Monitors add parameters of their own to get past caches.
    query: z.unknown(),
  } as const
  // It asks the database: once for all who ask meanwhile.
  let underWay: Promise<Checks> | undefined
  const check = () => {
    underWay ??= checks().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return [
    route('GET /live', {
      ...shared,
      name: 'health.live',
      summary: 'Whether the process runs.',
      answer: live,
      handle: () => ({ body: { status: 'ok' } }),
    }),
    route('GET /tls', {
      ...shared,
      query: z.object({ domain: z.string().min(1).max(255) }),
      name: 'health.tls',
      summary: 'Whether a proxy should get a certificate for a host.',
      answer: live,
      problems: [404],
      handle: ({ query: { domain } }) =>
        isServed(domain) ? { body: { status: 'ok' } } : notServed,
    }),
    route('GET /ready', {
      ...shared,
      name: 'health.ready',
      summary: 'Whether links work, and which parts have problems.',
      answer: readySchema,
      async handle() {
        const found = Object.entries(await check())
        const status = grades.findLast(grade => found.some(([, check]) => check.status === grade))
        const shown = found.map(([name, { status, note = null }]) => [name, { status, note }])
        return {
          status: status === 'failing' ? 503 : 200,
          body: { status: status ?? 'ok', checks: Object.fromEntries(shown) },
        }
      },
    }),
  ]
}

const notServed = refuse('not_found', 'This host is not served here.', 404)

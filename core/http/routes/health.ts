import { z } from 'zod'
import { type Route, route } from '../route.ts'

/** What the program needs to be of use, each with how it is. */
export type Checks = Readonly<Record<string, { readonly ok: boolean; readonly note?: string }>>

const live = z.object({ status: z.literal('ok') })
const ready = z.object({
  status: z.enum(['ok', 'failing']),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), note: z.string().nullable() })),
})

/** `/live`: the process turns. `/ready`: 200 when every check is well, else 503. Anyone may ask. */
export function healthRoutes(checks: () => Promise<Checks>): readonly Route[] {
  const shared = {
    method: 'GET',
    group: 'Health',
    scope: 'anyone',
    // Monitors add words of their own to get past caches.
    query: z.unknown(),
    status: 200,
  } as const
  return [
    route({
      ...shared,
      path: '/live',
      name: 'health.live',
      summary: 'Whether the process runs.',
      answer: live,
      handle: () => ({ body: { status: 'ok' } }),
    }),
    route({
      ...shared,
      path: '/ready',
      name: 'health.ready',
      summary: 'Whether it can do its work.',
      answer: ready,
      async handle() {
        const found = Object.entries(await checks())
        const well = found.every(([, check]) => check.ok)
        const shown = found.map(([name, { ok, note = null }]) => [name, { ok, note }])
        return {
          status: well ? 200 : 503,
          body: { status: well ? 'ok' : 'failing', checks: Object.fromEntries(shown) },
        }
      },
    }),
  ]
}

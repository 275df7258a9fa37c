import { z } from 'zod'
import { queryList } from '../../../lib/schema/query-values.ts'
import { maybeCode } from '../../../links/codes/read-path.ts'
import type { Hosts } from '../../../links/follow/hosts.ts'
import { readCodeStates } from '../../../links/write/free-codes.ts'
import type { LinkDeps } from '../../../links/write/link-deps.ts'
import { refuse } from '../../../plugin/outcomes.ts'
import { type Route, route } from '../../api/route/route.ts'
import { hostQuery } from './link-schemas.ts'

const maxAtOnce = 100

const query = z.strictObject({
  shortCodes: queryList(
    z
      .array(z.string().meta({ pattern: maybeCode.source }))
      .max(maxAtOnce, { error: `Must be at most ${maxAtOnce} short codes.` })
      .refine(codes => codes.every(it => maybeCode.test(it)), {
        error: 'Must be short codes separated by commas, such as spring,summer.',
      }),
  ).meta({
    description: 'Short codes, repeated or separated by commas, at most 100.',
    examples: [['spring', 'summer']],
  }),
  domain: hostQuery,
})

const answer = z.object({
  data: z.array(
    z.object({
      shortCode: z.string(),
      isFree: z.boolean(),
      reason: z.enum(['taken', 'reserved', 'malformed']).nullable(),
      suggestion: z
        .string()
        .nullable()
        .meta({ description: 'For a code that is taken, a similar one that is available.' }),
    }),
  ),
})

const notYours = refuse(
  'validation_failed',
  'Must be a host that your links can be on.',
  422,
  'domain',
)

/** Whether short codes are free, for people who choose one before there is a link. */
export function shortCodeRoutes({
  links: { db, shortUrls, paths },
  hosts,
}: {
  readonly links: Pick<LinkDeps, 'db' | 'shortUrls' | 'paths'>
  readonly hosts: Pick<Hosts, 'all' | 'rulesOf'>
}): readonly Route[] {
  function isFor(accountId: number, domain: string): boolean {
    const host = domain === '' ? undefined : (hosts.all().get(domain) ?? 'shut')
    return host !== 'shut' && [accountId, null, undefined].includes(host?.accountId)
  }

  return [
    route('GET /links/short-codes', {
      name: 'links.shortCodes',
      group: 'Links',
      summary: 'Check whether short codes are available',
      scope: 'links:write',
      query,
      answer,
      async handle({ caller: { accountId }, query: { shortCodes: codes, domain: host } }) {
        const domain = shortUrls.domainOf(host)
        if (!isFor(accountId, domain)) return notYours
        const rules = hosts.rulesOf(domain)
        const states = await readCodeStates(db, { accountId, domain, codes, paths, rules })
        const data = states.map(({ code, ...state }) => ({ shortCode: code, ...state }))
        return { body: { data } }
      },
    }),
  ]
}

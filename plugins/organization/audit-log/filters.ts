import { readPublicId, z } from '../../../core/plugin.ts'
import { type OwnContext, table } from './entries.ts'

/** The kinds of things that entries are about, with their words on the screen. */
export const kindWords = {
  link: { label: 'Links' },
  tag: { label: 'Tags' },
  campaign: { label: 'Campaigns' },
  domain: { label: 'Domains' },
  account: { label: 'Accounts' },
  token: { label: 'API tokens' },
  session: { label: 'Sign-ins' },
  step: { label: 'Second steps' },
  identity: { label: 'Accounts at providers' },
  settings: { label: 'Settings' },
  plugins: { label: 'Plugins' },
  events: { label: 'Lost events' },
}
export const kinds = Object.keys(kindWords) as (keyof typeof kindWords)[]

/** Parameters that choose entries. */
export const filters = {
  kind: z
    .enum(kinds)
    .optional()
    .meta({ description: 'Only what happened to things of this kind.' }),
  thing: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only what happened to this one, by id.' }),
  account: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only what this account did, by id.' }),
  from: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Not before this moment.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Before this moment.' }),
}
export const filterSchema = z.strictObject(filters)
type Filters = z.output<typeof filterSchema>

/** The entries that match. */
export function filtered({ kind, thing, account, from, to }: Filters, { db }: OwnContext) {
  let all = db.selectFrom(table)
  // Behind the dot comes the slash.
  if (kind) all = all.where('type', '>', `${kind}.`).where('type', '<', `${kind}/`)
  if (thing) all = all.where('thing', '=', thing)
  if (account) all = all.where('actor_account', '=', readPublicId('acc', account) ?? -1)
  if (from) all = all.where('at', '>=', Date.parse(from))
  if (to) all = all.where('at', '<', Date.parse(to))
  return all
}

/** How many entries match. */
export async function countOf(all: ReturnType<typeof filtered>): Promise<number> {
  const { count } = await all
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

import { type Json, publicId, z } from '../../../core/plugin.ts'
import { type Details, detailsOf, type OwnContext, type Row } from './entries.ts'

const thing = z.record(z.string(), z.unknown()).nullable()

export const entrySchema = z
  .strictObject({
    id: z.string(),
    at: z.iso.datetime(),
    type: z.string().meta({
      description: 'What happened to which kind of thing, such as `link.updated`.',
      examples: ['link.updated'],
    }),
    thing: z.string().nullable().meta({ description: 'Id of what was changed.' }),
    who: z.string().meta({
      description:
        'The e-mail address of the account that did it, or its id if it is gone; `plugin` or `system`.',
    }),
    by: z
      .enum(['session', 'token', 'plugin', 'system'])
      .meta({ description: 'How it was done: `system` is a command, a job or Linnet itself.' }),
    credential: z.string().nullable().meta({
      description: 'Id of the session or of the API token, or the feature of the plugin.',
    }),
    what: z.string().meta({ description: 'What changed, in one line.' }),
    before: thing.meta({ description: 'The thing before; of an update, what has changed.' }),
    after: thing.meta({ description: 'The thing afterwards; of an update, what has changed.' }),
    changed: z.array(z.string()).meta({
      description: 'What has another value now, also what is not shown, such as `password`.',
    }),
    hash: z.string().meta({
      description: 'SHA-256 of the entry and of the hash of the one before, in hexadecimal.',
    }),
  })
  .meta({ id: 'AuditLogEntry' })

export type Entry = z.output<typeof entrySchema>

/** For admins alone. */
export const addressedSchema = entrySchema
  .extend({
    address: z.string().nullable().meta({
      description:
        'The IP address from which it was done, or its network; null if none is kept, or if no client did it.',
    }),
  })
  .meta({ id: 'AddressedAuditLogEntry' })

/** Three letters, which nobody else uses for ids. */
export const idKind = 'aud'

/** Rows as answers have them, with the people who did it. */
export async function show(rows: readonly Row[], { unstable }: OwnContext): Promise<Entry[]> {
  const ids = new Set(rows.flatMap(({ actor_account: id }) => (id === null ? [] : [Number(id)])))
  const people = await unstable.accounts.find([...ids])
  const emails = new Map(people.map(({ accountId, email }) => [accountId, email]))
  return rows.map(row => {
    const details = detailsOf(row)
    const by = row.actor_kind === 'account' ? (row.actor_by ?? 'session') : row.actor_kind
    const account = row.actor_account === null ? undefined : Number(row.actor_account)
    return {
      id: publicId(idKind, row.id),
      at: new Date(Number(row.at)).toISOString(),
      type: row.type,
      thing: row.thing,
      who: account === undefined ? by : (emails.get(account) ?? publicId('acc', account)),
      by: by as Entry['by'],
      credential: row.actor_name,
      what: lineOf(details),
      ...details,
      changed: [...details.changed],
      hash: row.hash,
    }
  })
}

export async function showWithAddress(rows: readonly Row[], context: OwnContext) {
  const entries = await show(rows, context)
  return entries.map((entry, index) => ({ ...entry, address: rows[index]?.actor_address ?? null }))
}

/** What changed, for people: `title: Spring → Summer`. */
function lineOf({ before, after, changed }: Details): string {
  const of = (thing: typeof before, name: string) => shortly(thing?.[name] ?? null)
  if (before && after) {
    return changed
      .map(name =>
        name in before || name in after
          ? `${name}: ${of(before, name)} → ${of(after, name)}`
          : name,
      )
      .join('; ')
  }
  const whole = after ?? before ?? {}
  const names = ['shortUrl', 'originalUrl', 'email', 'name', 'host', 'feature', 'methods', 'count']
  return names
    .filter(name => name in whole)
    .map(name => of(whole, name))
    .join(' → ')
}

const most = 200

function textOf(value: Json): string {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  if (isNamed(value)) return value.name
  if (Array.isArray(value) && value.length > 0 && value.every(isNamed))
    return value.map(({ name }) => name).join(', ')
  const isWords = Array.isArray(value) && value.every(it => typeof it === 'string')
  return isWords ? value.join(', ') : JSON.stringify(value)
}

/** Such as a tag. */
function isNamed(value: Json): value is { readonly name: string } {
  return (
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
  )
}

function shortly(value: Json): string {
  const text = textOf(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

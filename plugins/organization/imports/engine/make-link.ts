import {
  type Context,
  isRefusal,
  type Json,
  type LinkRefusal,
  parseUrl,
  type SavedLink,
  sealed,
} from '../../../../core/plugin.ts'
import type { Options } from '../runs/options.ts'
import type { LinkItem } from '../source.ts'
import type { PlaceHost } from './hosts.ts'
import type { Named } from './named.ts'
import type { FindOwner } from './owners.ts'
import { isAboutAccount, Stopped } from './stop.ts'
import type { WhyUnusable } from './usable-fields.ts'

/** What making links takes. */
export interface Making {
  readonly context: Context
  readonly options: Options
  readonly isDry: boolean
  readonly place: PlaceHost
  readonly tags: Named
  readonly campaigns: Named
  readonly owner: FindOwner
  readonly whyUnusable: WhyUnusable
}

/** What became of a link: `changes` say what came in another way. */
export type Made =
  | {
      readonly link: SavedLink | null
      readonly changes: readonly string[]
      readonly hasVisits: boolean
    }
  /** Null: by this import, which is tried. */
  | { readonly there: SavedLink | null }
  | { readonly refused: string }

/** A link as it is to be made, or why it cannot be. */
export interface Wanted {
  readonly accountId: number
  readonly domain: string | null
  readonly body: Readonly<Record<string, Json>>
  readonly past: Parameters<Context['links']['create']>[2]
  readonly changes: readonly string[]
}

const sealedText = sealed({ label: 'Password' })

/** Finds out what can come of a link, for its account. */
export async function wantedLink(
  item: LinkItem,
  making: Making,
): Promise<Wanted | { readonly accountId: number; readonly refused: string }> {
  const { options, place, owner, whyUnusable } = making
  const { accountId, sentence } = await owner(item.owner)
  const changes = [...(item.changes ?? []), ...(sentence ? [sentence] : [])]
  const missing: string[] = []
  const placed = place(item.host, accountId)
  if ('problem' in placed) return { accountId, refused: placed.problem }
  const body: Record<string, Json> = {}
  for (const [field, value] of Object.entries(fieldsOf(item, placed.domain))) {
    const why = await whyUnusable(accountId, field, value)
    if (why === undefined) body[field] = value
    else missing.push(`Its ${wordsOf(field)} could not come: ${why}`)
  }
  if (item.password) {
    // Without it, everybody could follow the link.
    const why = await whyUnusable(accountId, 'password', 'some text')
    if (why !== undefined)
      return { accountId, refused: `It has a password, which it cannot have here: ${why}` }
    if ('text' in item.password) body.password = item.password.text
    else if (making.isDry) {
      // A request has no hashes, so that trying one would not find this.
      const read = sealedText.storeHash?.(item.password.hash)
      if (read && 'problem' in read) return { accountId, refused: read.problem }
    }
  }
  if (item.isClosed) {
    const why = await whyUnusable(accountId, 'expiresAt', making.context.now().toISOString())
    if (why !== undefined)
      return { accountId, refused: `It may lead nobody on, and cannot end here: ${why}` }
    body.expiresAt = making.context.now().toISOString()
    delete body.startsAt
  }
  const tagIds: string[] = []
  for (const tag of item.tags ?? []) {
    const found = await making.tags.find(tag, accountId)
    if ('id' in found) tagIds.push(found.id)
    else missing.push(`The tag ${tag} could not come: ${found.problem}`)
  }
  if (item.campaign) {
    const found = await making.campaigns.find(item.campaign, accountId)
    if ('id' in found) body.campaignId = found.id
    else missing.push(`The campaign ${item.campaign} could not come: ${found.problem}`)
  }
  if (options.isStrict && missing[0] !== undefined) return { accountId, refused: missing[0] }
  const hasTags = tagIds.length > 0 && !making.isDry
  if (making.isDry) delete body.campaignId
  if (hasTags) body.tagIds = tagIds
  const formerCodes = 'shortCode' in body ? item.formerCodes : undefined
  if (item.formerCodes?.length && !formerCodes)
    missing.push('Its other short codes could not come.')
  return {
    ...{ accountId, domain: placed.domain, body, changes: [...changes, ...missing] },
    past: {
      ...datesOf(item, making.context.now()),
      ...(formerCodes?.length ? { formerCodes } : {}),
      ...(item.password && 'hash' in item.password && { hashed: { password: item.password.hash } }),
    },
  }
}

function fieldsOf({ fields, code, isArchived }: LinkItem, domain: string | null) {
  return {
    ...fields,
    ...(isArchived && { archived: true }),
    ...(code !== null && { shortCode: code }),
    ...(domain !== null && { domain }),
  }
}

/** A clock of the other server may be ahead. */
function datesOf({ createdAt, updatedAt }: LinkItem, now: Date) {
  const soFar = (at: Date | undefined) => (at && at > now ? now : at)
  const [made, changed] = [soFar(createdAt), soFar(updatedAt)]
  return {
    ...(made && { createdAt: made }),
    ...(made && changed && changed >= made && { updatedAt: changed }),
  }
}

/**
 * Makes a link, finds that it is here already, or says why it cannot come. Throws if no more can come now. `before` is what another
 * link of this import leads to that has the code.
 */
export async function makeLink(
  wanted: Wanted,
  making: Making,
  before: string | undefined,
): Promise<Made> {
  const { accountId, body, past, changes } = wanted
  const made = await create(accountId, body, past, making)
  const hasVisits = past?.visits !== undefined
  const code = String(body.shortCode)
  const isTakenHere = before !== undefined
  if (!isRefusal(made)) {
    if (!making.isDry || !isTakenHere) return { link: made, changes, hasVisits }
    if (before === hrefOf(String(body.originalUrl))) return { there: null }
    return withoutItsCode(wanted, making, takenHere(code))
  }
  if (isAboutAccount(made)) throw new Stopped(made.detail)
  if (hasVisits && !isTaken(made)) {
    // They may be what is refused, and it comes without them then.
    const { visits, visitKeys, ...others } = past
    return makeLink({ ...wanted, past: others }, making, before)
  }
  if (!isTaken(made) || body.shortCode === undefined) return { refused: saidBy(made) }
  const there = await making.context.links.findByCode(code, wanted.domain ?? '')
  const isOurs = there?.accountId === accountId && !there.isFormer
  if (isOurs && there.originalUrl === hrefOf(String(body.originalUrl))) return { there }
  const isByAnother = isTakenHere && made.code === 'short_code_taken'
  return withoutItsCode(wanted, making, isByAnother ? takenHere(code) : saidBy(made))
}

function takenHere(code: string): string {
  return `Another link of the import has the short code ${code}.`
}

/** Makes a link whose short code it cannot have with one that it gets, if people chose that. */
async function withoutItsCode(
  { accountId, body, past, changes }: Wanted,
  making: Making,
  why: string,
): Promise<Made> {
  if (making.options.onTaken === 'refuse') return { refused: why }
  const { shortCode: code, ...rest } = body
  const { formerCodes, ...dates } = past ?? {}
  const other = await create(accountId, rest, dates, making)
  if (isRefusal(other)) {
    if (isAboutAccount(other)) throw new Stopped(other.detail)
    return { refused: saidBy(other) }
  }
  const gets = other ? `it has ${other.shortCode}` : 'it gets another'
  const former = formerCodes?.length ? ', and its other codes could not come' : ''
  return {
    ...{ link: other, hasVisits: past?.visits !== undefined },
    changes: [...changes, `${why} In place of ${code}, ${gets}${former}.`],
  }
}

/** In a dry import, it is tried: null if it could be made. */
async function create(
  accountId: number,
  body: Wanted['body'],
  past: Wanted['past'],
  { context: { links, unstable }, isDry }: Making,
): Promise<SavedLink | null | LinkRefusal> {
  if (!isDry) return links.create(accountId, body, past)
  const { status, body: answer } = await unstable.callApi(
    accountId,
    'POST',
    '/links?dry_run=true',
    body,
  )
  return status === 201 ? null : refusalIn(answer)
}

function refusalIn(answer: Json | undefined): LinkRefusal {
  const { code, detail, status, errors } = answer as unknown as LinkRefusal
  return { kind: 'refuse', code, detail, status, ...(errors && { errors }) }
}

/** Codes that another link has, that are reserved, or that cannot be codes here. */
function isTaken({ code, field, errors = [] }: LinkRefusal): boolean {
  return (
    code === 'short_code_taken' ||
    field === 'shortCode' ||
    (errors.length > 0 && errors.every(it => it.field === 'shortCode'))
  )
}

/** The same sentence whether it was tried or done: of one thing that is wrong, only a request has a list. */
function saidBy({ detail, field, errors = [] }: LinkRefusal): string {
  const all = errors.length > 0 ? errors : [{ field, message: detail }]
  return all.map(it => sentenceOf(it.field, it.message)).join(' ')
}

/** Sentences about codes mostly say that they are, and those about hashes always. */
function sentenceOf(field: string | undefined, message: string): string {
  const saysIt = field?.startsWith('hashed.') || /\bshort code\b/i.test(message)
  if (field === undefined || saysIt) return message
  return `${wordsOf(field)}: ${message}`
}

/** `maxVisits` -> `max visits`. */
function wordsOf(field: string): string {
  return field.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
}

/** A URL as links have it. */
export function hrefOf(url: string): string {
  return parseUrl(url)?.href ?? url
}

import { type Actor, type Event, type Json, publicId } from '../../../core/plugin.ts'

/** The most bytes that a message has: https://www.standardwebhooks.com advises so. */
const maxBody = 20_000

type Thing = Readonly<Record<string, Json>>

/** What happened, before it is written for receivers. */
export interface Happened extends Pick<Event, 'type' | 'at' | 'accountId' | 'before' | 'after'> {
  readonly actor: Event['actor']
  readonly changed?: readonly string[]
}

/**
 * What receivers get: the thing as it is now, or as it was if it is gone, and for a change what it was before. Of what would be
 * too long, the longest members are left out and named in `omitted`; `read` is where all of it is.
 */
export function bodyOf(
  { type, at, accountId, actor, before, after, changed = [] }: Happened,
  apiUrl: (path: string) => string,
): string {
  const head = {
    type,
    timestamp: at,
    account: accountId === null ? null : publicId('acc', accountId),
    actor: actorOf(actor),
  }
  const data: Thing = after ?? before ?? {}
  const whole = JSON.stringify({
    ...head,
    data,
    ...(before && after && { previous: before, changed }),
  })
  if (isShort(whole)) return whole
  const path = after && pathOf(type, after)
  const read = path === undefined || path === null ? {} : { read: apiUrl(path) }
  const withoutPrevious = before && after ? ['previous'] : []
  const names = before && after ? changed.slice(0, 100) : undefined
  for (const [left, omitted] of shorterAndShorter(data)) {
    const text = JSON.stringify({
      ...head,
      data: left,
      ...(names && { changed: names }),
      omitted: [...withoutPrevious, ...omitted],
      ...read,
    })
    if (isShort(text)) return text
  }
  return JSON.stringify({ ...head, data: { id: data.id ?? null }, omitted: ['data'], ...read })
}

const isShort = (text: string) => Buffer.byteLength(text) <= maxBody

/** Whole at first, and then without the longest member that is left, again and again. */
function* shorterAndShorter(data: Thing): Generator<readonly [Thing, readonly string[]]> {
  const left: Record<string, Json> = { ...data }
  const omitted: string[] = []
  yield [left, omitted]
  const lengths = Object.entries(data).map(
    ([name, it]) => [name, JSON.stringify(it).length] as const,
  )
  for (const [name] of lengths.sort(([, a], [, b]) => b - a)) {
    delete left[name]
    omitted.push(`data.${name}`)
    yield [left, omitted]
  }
}

/** Links alone can be so long. */
function pathOf(type: string, { id }: Thing): string | undefined {
  return type.startsWith('link.') && typeof id === 'string' ? `/links/${id}` : undefined
}

function actorOf(actor: Actor): Thing {
  if (actor.kind !== 'account') return { ...actor }
  const { accountId, by, credential } = actor
  return { kind: 'account', id: publicId('acc', accountId), by, ...(credential && { credential }) }
}

/** What a message is about: those about the same are sent one after another. */
export function thingOf({ type, before, after }: Pick<Happened, 'type' | 'before' | 'after'>) {
  const { id } = after ?? before ?? {}
  return `${type.slice(0, type.indexOf('.'))} ${typeof id === 'string' ? id : ''}`.slice(0, 100)
}

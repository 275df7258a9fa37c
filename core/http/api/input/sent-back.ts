import type { z } from 'zod'
import { allows } from '../../../accounts/access/scopes.ts'
import type { SignedIn } from '../../../accounts/account.ts'
import { membersOf } from '../../../lib/schema/schema-members.ts'
import type { Route } from '../route/route.ts'

/** What a body has of the fields that can only be read, by their names in answers. */
export type SentBack = Readonly<Record<string, unknown>>

/** The fields that a route does not take, and the one that reads the same thing shows: whoever has read it may send all of it back. */
export function onlyRead(
  { body, describedBody, reader }: Pick<Route, 'body' | 'describedBody' | 'reader'>,
  caller: SignedIn | undefined,
): ReadonlySet<string> {
  // Nobody may find out what they cannot read by sending what it might be.
  const mayRead =
    caller && reader && allows(caller.scopes, reader.scope) && reader.fresh === undefined
  if (!mayRead || reader.bars?.(caller)) return none
  const known = namesOf.get(reader) ?? new Set(shownBy(reader.answer))
  namesOf.set(reader, known)
  const taken = membersOf(describedBody ?? body)
  return taken ? new Set([...known].filter(name => !(name in taken))) : none
}

const none: ReadonlySet<string> = new Set()
const namesOf = new WeakMap<object, ReadonlySet<string>>()

function shownBy(answer: z.ZodType | undefined): readonly string[] {
  return Object.keys(membersOf(membersOf(answer)?.data) ?? {})
}

/** Splits a body into what its route takes and what can only be read. */
export function takeSentBack(value: unknown, names: ReadonlySet<string>) {
  if (names.size === 0) return { taken: value, sentBack: {} }
  const fields = Object.entries(value as object)
  const [taken, sentBack] = [false, true].map(isRead =>
    Object.fromEntries(fields.filter(([name]) => names.has(name) === isRead)),
  )
  return { taken, sentBack: sentBack as SentBack }
}

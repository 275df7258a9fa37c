import { z } from '../../../core/plugin.ts'
import { challengeTable, type OwnContext } from './tables.ts'

/** How long a browser may take to answer, in milliseconds. */
export const lifeMs = 5 * 60_000

const dayMs = 86_400_000

/** What a browser is asked to do with a passkey, and by whom. */
export interface Asked {
  readonly what: 'make' | 'use' | 'sign-in'
  /** Row id of the account; 0 if nobody has said who they are. */
  readonly accountId: number
}

export interface Challenge {
  readonly text: string
  /** In milliseconds since 1970 UTC. */
  readonly endsAt: number
}

/** What a challenge says, encrypted: nobody else can have made it. */
const challengeSchema = z.tuple([
  z.enum(['make', 'use', 'sign-in']),
  z.int().describe('Row id of the account; 0 if nobody has said who they are'),
  z.int().describe('Until when it can be answered, in milliseconds since 1970 UTC'),
])

/** No two are the same. */
export function makeChallenge({ what, accountId }: Asked, { unstable, now }: OwnContext) {
  const said = [what, accountId, now().getTime() + lifeMs]
  return new Uint8Array(Buffer.from(unstable.secrets.hide(JSON.stringify(said)), 'base64url'))
}

/** Undefined if it asked for something else, or somebody else, or too long ago. */
export function readChallenge(
  text: string,
  asked: Asked,
  { unstable, now }: OwnContext,
): Challenge | undefined {
  const revealed = unstable.secrets.reveal(text)
  const read = challengeSchema.safeParse(revealed === undefined ? undefined : JSON.parse(revealed))
  if (!read.success) return undefined
  const [what, accountId, endsAt] = read.data
  const isIt = what === asked.what && accountId === asked.accountId
  const leftMs = endsAt - now().getTime()
  // One from ahead, made before the clock was set back, counts like one as old.
  return isIt && leftMs > 0 && leftMs < 2 * lifeMs ? { text, endsAt } : undefined
}

/** Uses a challenge up, on whichever server. False if it was answered before. */
export async function spendChallenge(
  { text, endsAt }: Challenge,
  { db, now }: OwnContext,
): Promise<boolean> {
  // A day longer than they work, in case the clock is set back.
  await db
    .deleteFrom(challengeTable)
    .where('ends_at', '<', now().getTime() - dayMs)
    .execute()
  const row = await db
    .insertInto(challengeTable)
    .values({ id: text, ends_at: endsAt })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

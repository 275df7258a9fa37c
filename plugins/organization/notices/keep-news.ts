import type { KindName } from './kinds.ts'
import { news, type OwnContext } from './tables.ts'

/** Something that an account is to be told, once. */
export async function keep(
  {
    accountId,
    kind,
    about,
    says,
  }: {
    readonly accountId: number
    readonly kind: KindName
    readonly about: string
    readonly says: object
  },
  { db, now, unstable }: Pick<OwnContext, 'db' | 'now' | 'unstable'>,
): Promise<void> {
  if (!unstable.mail.canSend()) return
  // The account may be gone since.
  const [account] = await unstable.accounts.find([accountId])
  if (!account) return
  await db
    .insertInto(news)
    .values({
      account_id: accountId,
      ...{ kind, about, says: JSON.stringify(says), at: now().getTime(), mail_id: null },
    } as never)
    .onConflict(conflict => conflict.columns(['account_id', 'kind', 'about']).doNothing())
    .execute()
}

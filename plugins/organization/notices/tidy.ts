import { mails, news, type OwnContext } from './tables.ts'

/** For so long it is remembered what was told, so that nothing is told twice. */
const keptMs = 90 * 86_400_000

export async function tidy({ db, now }: Pick<OwnContext, 'db' | 'now'>): Promise<void> {
  const before = now().getTime() - keptMs
  await db.deleteFrom(mails).where('created_at', '<', before).execute()
  await db.deleteFrom(news).where('at', '<', before).execute()
}

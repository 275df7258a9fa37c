import { addAccount } from '../../core/accounts/add-account.ts'
import type { Answer, Harness } from '../../harness.ts'
import { openSession } from '../../inside.ts'

/** Call the API as an account that is not the harness's own and no admin. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Somebody else, signed in at the harness's first moment. */
export async function otherAccount(linnet: Harness, plan?: string): Promise<Call> {
  const { id } = await addAccount(linnet.db, plan === undefined ? {} : { plan })
  const session = await openSession(linnet.db, id, () => new Date('2026-11-20T12:00:00Z'))
  const cookie = `__Host-linnet=${session}`
  return (method, path, body) => linnet.api(method, path, body, { cookie })
}

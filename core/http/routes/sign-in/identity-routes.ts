import { z } from 'zod'
import { listIdentities, removeIdentity } from '../../../accounts/access/identities.ts'
import { findAccount } from '../../../accounts/accounts.ts'
import { readPublicId } from '../../../lib/public-id.ts'
import { isRefusal, notFound } from '../../../plugin/outcomes.ts'
import { type Database, doOrTry } from '../../../storage/database.ts'
import { always, forAdmins, type Reply, type Route, route } from '../../api/route/route.ts'

interface IdentityDeps {
  readonly db: Database
  readonly now: () => Date
}

const shown = z
  .strictObject({
    id: z.string(),
    issuer: z.string().meta({
      description: 'Names the provider.',
      examples: ['https://login.example.org'],
    }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().meta({ description: 'When somebody last signed in by it.' }),
  })
  .meta({ id: 'Identity' })

const listed = { answer: z.strictObject({ data: z.array(shown) }) }
/** A browser that was left open must not take from people how they sign in. */
const removed = { status: 204, fresh: 600, problems: [404, 409], tries: true } as const

/** The identities at providers that sign somebody in: of the caller, and for admins of every account. */
export function identityRoutes({ db, now }: IdentityDeps): readonly Route[] {
  const list = async (accountId: number): Promise<Reply> => ({
    body: { data: await listIdentities(db, accountId) },
  })
  const remove = async (accountId: number, id: string, isDry: boolean) => {
    const isRemoved = await doOrTry(db, isDry, db => removeIdentity(db, accountId, id, now))
    if (isRefusal(isRemoved)) return isRemoved
    return isRemoved ? {} : notFound
  }
  const own = { group: 'Session', scope: '*' } as const
  return [
    route('GET /identities', {
      ...own,
      ...listed,
      name: 'identities.list',
      summary: 'List the identities at providers that sign you in, the one used last first',
      handle: ({ caller }) => list(caller.accountId),
    }),
    route('DELETE /identities/:id', {
      ...own,
      ...removed,
      name: 'identities.destroy',
      summary: 'Sign in by an identity no longer, unless it is your only way to sign in',
      handle: ({ caller, params: { id = '' }, isDry }) => remove(caller.accountId, id, isDry),
    }),
    route('GET /admin/accounts/:id/identities', {
      ...forAdmins,
      ...listed,
      name: 'accounts.identities',
      summary: 'List the identities at providers that sign an account in',
      problems: [404],
      async handle({ params }) {
        const account = await findAccount(db, readPublicId('acc', params.id ?? '') ?? 0)
        return account ? list(account.id) : notFound
      },
    }),
    route('DELETE /admin/accounts/:id/identities/:identity', {
      ...forAdmins,
      name: 'accounts.destroyIdentity',
      summary: 'Let an identity sign an account in no longer, unless it is the only way in',
      status: 204,
      problems: [404, 409],
      asksPassword: always,
      tries: true,
      handle: ({ params, isDry }) =>
        remove(readPublicId('acc', params.id ?? '') ?? 0, params.identity ?? '', isDry),
    }),
  ]
}

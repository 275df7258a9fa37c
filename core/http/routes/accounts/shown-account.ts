import { z } from 'zod'
import type { OneTimeLink, OneTimeLinks } from '../../../accounts/access/one-time-links.ts'
import type { Account } from '../../../accounts/account.ts'
import { accountSchema, showAccount } from '../../../accounts/profile.ts'
import { readPublicId } from '../../../lib/public-id.ts'
import { refuse } from '../../../plugin/outcomes.ts'
import type { Reply } from '../../api/route/route.ts'
import { accountEtag } from './profile-routes.ts'

/** What admins see of an account. */
export const shownSchema = accountSchema.extend({
  plan: z.string().meta({ description: 'Slug of the plan.' }),
  suspendedAt: z.iso.datetime().nullable().meta({
    description: 'When an admin suspended it; null if it is not suspended.',
  }),
  linksClosed: z.boolean().meta({ description: 'Whether its links lead nowhere meanwhile.' }),
  signedInAt: z.iso.datetime().nullable().meta({
    description: 'When its owner last signed in, to the hour; null: never.',
  }),
  oneTimeLink: z
    .strictObject({ createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() })
    .nullable()
    .meta({ description: 'The one-time link that was not used yet.' }),
})

export const answer = z.strictObject({ data: shownSchema })

export function shown(account: Account, link?: OneTimeLink) {
  return {
    ...showAccount(account),
    plan: account.plan,
    suspendedAt: account.suspendedAt?.toISOString() ?? null,
    linksClosed: account.linksClosed,
    signedInAt: account.signedInAt?.toISOString() ?? null,
    oneTimeLink: link ?? null,
  }
}

/** The answer that shows an account with its ETag and the one-time link that waits for it, if any. */
export function createReply(oneTimeLinks: Pick<OneTimeLinks, 'waiting'>) {
  return async (account: Account, headers: Reply['headers'] = {}, hasNoLink = false) => {
    const waiting = await oneTimeLinks.waiting(hasNoLink ? [] : [account.id])
    const data = shown(account, waiting.get(account.id))
    return { body: { data }, headers: { ETag: accountEtag(account, data), ...headers } }
  }
}

/** Rows are numbered from 1: 0 matches no account. */
export function rowOfAccount(id = ''): number {
  return readPublicId('acc', id) ?? 0
}

export const noSuchAccount = refuse('not_found', 'This account does not exist.', 404)

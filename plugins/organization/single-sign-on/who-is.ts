import { type Identified, type Refusal, refuse } from '../../../core/plugin.ts'
import { type Claims, groupsIn, planFor } from './group-rules.ts'
import type { OwnContext } from './reach-provider.ts'

/** Somebody for whom the provider speaks, and what becomes of them here. */
export function whoIs(claims: Claims, { settings, log }: OwnContext): Identified | Refusal {
  const { email, name, sid } = claims
  const isEmailVerified = typeof email === 'string' && isVerified(claims, settings.trustsAddresses)
  const domain = isEmailVerified ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : ''
  const domains = settings.allowedDomains.map(it => it.toLowerCase())
  if (domains.length > 0 && !domains.includes(domain)) return notTheirDomain

  const groups = groupsIn(claims, settings.groupsClaim)
  const { allowedGroups, adminGroups, planGroups } = settings
  if (!groups) log.warn('The provider leaves out groups of somebody who has too many')
  const isIn = (some: readonly string[]) => some.some(it => groups?.includes(it))
  if (allowedGroups.length > 0 && !isIn(allowedGroups)) return notTheirGroup

  const plan = groups && planFor(groups, planGroups)
  return {
    ...{ issuer: String(claims.iss), subject: String(claims.sub), isEmailVerified },
    ...(typeof sid === 'string' && { session: sid }),
    ...(typeof email === 'string' && { email }),
    ...(typeof name === 'string' && { fullName: name }),
    methods: methodsIn(claims),
    ...(settings.createsAccounts && { create: plan === undefined ? {} : { plan } }),
    ...(settings.matchesAddresses && { match: 'verifiedEmail' }),
    set: {
      ...(plan !== undefined && { plan }),
      ...(groups && adminGroups.length > 0 && { isAdmin: isIn(adminGroups) }),
    },
  }
}

/**
 * What the provider says: `email_verified`, or `xms_edov` of Microsoft Entra, as a boolean or in words. Google speaks for addresses
 * of its own and of domains that it hosts alone: others may have changed hands since it looked.
 */
function isVerified(claims: Claims, trusts: boolean): boolean {
  const { iss, email, hd } = claims
  const said = claims.email_verified ?? claims.xms_edov
  if (said === undefined || said === null) return trusts
  const isSo = said === true || said === 1 || /^(true|1)$/.test(String(said))
  const isForeign =
    iss === google && hd === undefined && !/@(gmail|googlemail)\.com$/i.test(String(email))
  return isSo && !isForeign
}

const google = 'https://accounts.google.com'

/** Words of RFC 8176. */
function methodsIn({ amr }: Claims): readonly string[] {
  const words = Array.isArray(amr) ? amr : []
  return words.filter(it => typeof it === 'string' && /^[a-z]{1,10}$/.test(it)).slice(0, 5)
}

const notTheirDomain = refuse('domain_not_allowed', 'The address is in no allowed domain.', 403)
const notTheirGroup = refuse('group_not_allowed', 'They are in no allowed group.', 403)

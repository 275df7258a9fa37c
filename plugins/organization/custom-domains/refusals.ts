import { type Context, isWebAddress, type Refusal, refuse } from '../../../core/plugin.ts'
import { readHost } from './host.ts'

/** For a link on a host that is neither a verified domain of its account nor open to its plan. */
export const notYours = refuse(
  'validation_failed',
  'Must be the host of one of your verified domains, or one that is shared with your plan.',
  422,
  'domain',
)

export const alreadyYours = refuse('host_taken', 'You already have this domain.', 409, 'host')

/** Whether a text is the host of the base URL, with or without its port. */
export function isOurs(text: string, { mainUrl }: Pick<Context['links'], 'mainUrl'>): boolean {
  return isHostOf(text, mainUrl())
}

function isHostOf(text: string, url: string): boolean {
  const { host, hostname } = new URL(url)
  return [host, hostname].includes(text.toLowerCase())
}

/** For an own domain, where the plan has only those of the instance. */
export const notInPlan = refuse(
  'feature_not_in_plan',
  'Your plan does not include organization.customDomains.',
  403,
  undefined,
  { feature: 'organization.customDomains', features: ['organization.customDomains'] },
)

/** For a host that the instance shares. */
export const ofInstance = refuse('host_taken', 'This domain is the instance’s.', 409, 'host')

/** For a host that cannot be shared, because an account has it. */
export const ofAccount = refuse(
  'host_taken',
  'An account has this domain, or links on it. It has to delete the domain first.',
  409,
  'host',
)

/** The hosts of the instance belong to no account. */
export function refuseOurs(host: string, { links }: Context): Refusal | undefined {
  if (isHostOf(host, links.apiUrl('')) && !isOurs(host, links)) {
    return refuse('validation_failed', 'This is the host of the dashboard.', 422, 'host')
  }
  if (!isOurs(host, links)) return undefined
  const detail = 'This is the host of this instance: every account can use it.'
  return refuse('validation_failed', detail, 422, 'host')
}

/** Refuses URLs on the host itself or on this instance, because they would send visitors in circles. */
export function refuseCircle(
  host: string,
  given: Readonly<Partial<Record<'rootUrl' | 'notFoundUrl', string | null | undefined>>>,
  { links }: Context,
): Refusal | undefined {
  const field = (['rootUrl', 'notFoundUrl'] as const).find(key => {
    const url = given[key]
    if (!url || !isWebAddress(url)) return false
    return readHost(new URL(url).hostname) === host || links.leadsBack(url)
  })
  const detail = 'The URL leads back to this link shortener.'
  return field && refuse('validation_failed', detail, 422, field)
}

/** `max` keeps one account from filling the database with claims. */
export function refuseTooMany(count: number, max: number): Refusal | undefined {
  if (count < max) return undefined
  const detail = `An account may have ${max} domains. Yours has ${count}.`
  return refuse('limit_reached', detail, 403, undefined, { limit: max, used: count })
}

/** A domain with links cannot be deleted, because the links would stop working. */
export function inUse(links: number): Refusal {
  const detail = `Links on this domain: ${links}. Move them to another domain or delete them first.`
  return refuse('domain_in_use', detail, 409, undefined, { links })
}

/** Nor can a shared one. */
export function sharedInUse(links: number, accounts: number): Refusal {
  const detail = `Links on this domain: ${links}. Accounts that they belong to: ${accounts}. They have to be moved or deleted first.`
  return refuse('domain_in_use', detail, 409, undefined, { links, accounts })
}

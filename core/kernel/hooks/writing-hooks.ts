import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../accounts/account.ts'
import { checkAddress, isSafeToFollow } from '../../lib/net/web-address.ts'
import type { GivenFields, KeptElsewhere, LinkDraft, LinkHooks } from '../../links/hooks.ts'
import { refuseLarge, shownToPlugins } from '../../links/link.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Draft, LinkAddress } from '../../plugin.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Contained, Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { type AddressesOf, unchanged } from './link-addresses.ts'
import type { LinkFields } from './link-fields.ts'

/** Refuses features that the plan does not include or that are switched off. */
export type CheckFeature = (plan: string, ...features: readonly string[]) => Refusal | undefined

/** Runs the hooks of plugins when a link is saved. */
export function createWritingHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
  check: CheckFeature,
  addressesOf: AddressesOf,
  targetSchemes: readonly string[],
): Pick<
  LinkHooks,
  | 'prepare'
  | 'validateAddresses'
  | 'validateLink'
  | 'store'
  | 'save'
  | 'isElsewhere'
  | 'has'
  | 'sealedIn'
  | 'brought'
> {
  const withFields = running.filter(({ plugin }) => plugin.fields)
  const preparing = running.filter(({ plugin }) => plugin.prepare)
  const validating = running.filter(({ plugin }) => plugin.validate)
  const saving = running.filter(({ plugin }) => plugin.save)
  const bringing = running.filter(({ plugin }) => plugin.unstable?.brought)

  /** Returns what shows a draft to each plugin. What all of them see alike is worked out once. */
  const drafts = (whole: LinkDraft, addresses = addressesOf(whole)) => {
    const { given, before, link, ...draft } = whole
    const { kind } = draft
    const seen = link && {
      ...shownToPlugins(link),
      addresses: addressesOf({ ...link, kind, before, given: {} }),
    }
    return ({ plugin }: RunningPlugin) =>
      ({
        ...draft,
        link: seen && { ...seen, addresses: copyOf(seen.addresses) },
        addresses: copyOf(addresses),
        fields: fields.givenTo(plugin, kind, given),
        stored: fields.open(plugin, before),
      }) as Draft
  }

  /** Clearing a field is always allowed: after a downgrade, an account cannot set a password but can remove one. */
  function checkPlan(draft: LinkDraft, caller: SignedIn): Refusal | undefined {
    if (isNothing(draft.given)) return undefined
    const used = withFields.filter(({ plugin }) =>
      Object.entries(fields.givenTo(plugin, draft.kind, draft.given)).some(
        ([name, value]) => value !== null && !plugin.unstable?.openFields?.includes(name),
      ),
    )
    return check(caller.account.plan, ...used.map(({ plugin }) => plugin.feature))
  }

  async function prepareAll(draft: LinkDraft): Promise<LinkDraft | Refusal> {
    let prepared = draft
    let draftFor = drafts(draft)
    const details = { ...detailsOf(draft), check: checks.prepare }
    for (const member of preparing) {
      const { plugin, context } = member
      const ask = () => plugin.prepare?.(draftFor(member), context)
      const asked = contain.run(plugin.feature, 'prepare', ask, details)
      const answer = asked instanceof Promise ? await asked : asked
      if (!answer.ok) return unavailable()
      if (isRefusal(answer.value)) return answer.value
      if (!answer.value) continue
      const changes = Object.entries(answer.value).filter(([, it]) => it !== undefined)
      prepared = { ...prepared, ...Object.fromEntries(changes) }
      draftFor = drafts(prepared)
    }
    return prepared
  }

  async function validateAll(
    draft: LinkDraft,
    plan: string,
    addresses?: readonly LinkAddress[],
  ): Promise<Refusal | undefined> {
    const draftFor = drafts(draft, addresses)
    const details = { ...detailsOf(draft), check: checks.refusal }
    for (const member of validating) {
      const { plugin, context } = member
      if (check(plan, plugin.feature)) continue
      const ask = () => plugin.validate?.(draftFor(member), context)
      const asked = contain.run(plugin.feature, 'validate', ask, details)
      const answer = asked instanceof Promise ? await asked : asked
      if (!answer.ok) return unavailable()
      if (answer.value) return answer.value
    }
    return undefined
  }

  async function validateAddresses(
    addresses: readonly LinkAddress[],
    { accountId, account }: SignedIn,
  ): Promise<Refusal | undefined> {
    const [first] = addresses
    if (!first) return undefined
    const astray = refuseAstray(addresses, targetSchemes)
    if (astray) return astray
    const draft: LinkDraft = {
      ...{
        kind: 'create',
        attempt: 0,
        accountId,
        link: undefined,
        domain: '',
        shortCode: undefined,
      },
      ...{ originalUrl: first.url, given: {}, before: {} },
    }
    return validateAll(draft, account.plan, addresses)
  }

  const save: LinkHooks['save'] = async (tx, link, given, kind) => {
    if (isNothing(given)) return nothingKept
    let kept = nothingKept
    for (const { plugin, within } of saving) {
      const own = fields.givenTo(plugin, kind, given)
      if (Object.keys(own).length === 0) continue
      const context = within(tx)
      const details = { account: link.accountId, link: link.id, isWriting: true }
      // The caller compares fields stored with the link. For those stored elsewhere, computed members are compared.
      const elsewhere = Object.keys(own).filter(key => plugin.fields?.[key]?.stored === false)
      const show = () =>
        contain.run(
          plugin.feature,
          'computed',
          () => plugin.computed?.of([shownToPlugins(link)], context),
          details,
        )
      const before = elsewhere.length > 0 ? await show() : undefined
      const ask = () => plugin.save?.(shownToPlugins(link), own, context)
      const answer = await contain.run(plugin.feature, 'save', ask, {
        ...details,
        check: checks.refusal,
      })
      if (!answer.ok) return unavailable()
      if (answer.value) return answer.value
      const after = before && (await show())
      if (!before || !after || (before.ok && isDeepStrictEqual(before, after))) continue
      kept = {
        changed: [...kept.changed, ...elsewhere],
        before: { ...kept.before, ...membersIn(before) },
        after: { ...kept.after, ...membersIn(after) },
      }
    }
    return kept
  }

  const givenFields = (given: GivenFields) =>
    withFields.flatMap(({ plugin: { fields = {} } }) =>
      Object.entries(fields).filter(([name]) => given[name] !== undefined),
    )

  const leading = (given: GivenFields): readonly unknown[] =>
    givenFields(given).flatMap(([name, { addresses, stored }]) =>
      addresses && stored ? [given[name]] : [],
    )

  const elsewhere = (given: GivenFields): GivenFields =>
    Object.fromEntries(
      givenFields(given).flatMap(([name, { stored }]) => (stored ? [] : [[name, given[name]]])),
    )

  return {
    async prepare(draft, caller) {
      const barred = checkPlan(draft, caller)
      if (barred) return barred
      // Fields with addresses are stored as they are: before anything looks at each address, they must have room.
      const large = refuseLarge(leading(draft.given))
      if (large) return large
      const prepared = await prepareAll(draft)
      if (isRefusal(prepared)) return prepared
      const given = isNothing(draft.given) ? [] : addressesOf(prepared)
      const astray = refuseAstray(
        given.filter(({ field }) => Object.hasOwn(draft.given, field)),
        targetSchemes,
        draft.given,
      )
      if (astray) return astray
      return (await validateAll(prepared, caller.account.plan)) ?? prepared
    },

    validateAddresses,
    validateLink: (link, caller) => validateAddresses(addressesOf(unchanged(link)), caller),

    store: async (before, given, kind, account) =>
      isNothing(given)
        ? before
        : ((await fields.store(before, given, kind, account)) ?? unavailable()),

    save,
    isElsewhere: given => Object.keys(elsewhere(given)).length > 0,
    async has(tx, link, given) {
      const kept = await save(tx, link, elsewhere(given), 'edit')
      return !isRefusal(kept) && kept.changed.length === 0
    },
    sealedIn: given =>
      givenFields(given).find(([name, { control }]) => control === 'password' && given[name])?.[0],

    async brought(tx, added) {
      const [first] = added
      if (!first || bringing.length === 0) return undefined
      const { accountId: account, id } = first.link
      const details = { account, isWriting: true, ...(added.length === 1 && { link: id }) }
      const shown = () => added.map(it => ({ ...it, link: shownToPlugins(it.link) }))
      for (const { plugin, within } of bringing) {
        const tell = () => plugin.unstable?.brought?.(shown(), within(tx))
        const told = await contain.run(plugin.feature, 'brought', tell, details)
        if (!told.ok) return unavailable()
      }
      return undefined
    },
  }
}

const nothingKept: KeptElsewhere = { changed: [], before: {}, after: {} }

/** One for each plugin: what one of them does with it is not what the next one checks. */
function copyOf(addresses: readonly LinkAddress[]): readonly LinkAddress[] {
  return addresses.map(it => ({ ...it }))
}

/** The `computed` members of the one link that was asked about; none if the plugin failed. */
function membersIn(answer: Contained<readonly Members[] | undefined>): Members {
  return (answer.ok && answer.value?.[0]) || {}
}

type Members = KeptElsewhere['before']

/** Refuses an address that would never be followed. */
function refuseAstray(
  addresses: readonly LinkAddress[],
  targetSchemes: readonly string[],
  given: GivenFields = {},
): Refusal | undefined {
  const astray = addresses.find(({ url }) => !isSafeToFollow(url, targetSchemes))
  if (!astray) return undefined
  const { field, url } = astray
  const checked = checkAddress(url, targetSchemes)
  const detail = 'href' in checked ? `Write this URL as ${checked.href}.` : checked.problem
  return refuse('validation_failed', detail, 422, `${field}${pathTo(url, given[field]) ?? ''}`)
}

/** Where a text is in a value, such as `.rules[0].originalUrl`; undefined if it is not there. */
function pathTo(text: string, value: unknown): string | undefined {
  if (value === text) return ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, part] of Object.entries(value)) {
    const path = pathTo(text, part)
    if (path !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${path}`
  }
  return undefined
}

/** Whether a request has no fields of any plugin. */
function isNothing(given: GivenFields): boolean {
  return Object.keys(given).length === 0
}

function detailsOf({ accountId, link }: LinkDraft) {
  return { account: accountId, ...(link && { link: link.id }) }
}

/** The refusal if a plugin fails that the answer depends on. */
export function unavailable(what = 'A part that this depends on does not respond.'): Refusal {
  return refuse('unavailable', `${what} Try again later.`, 503)
}

import { address, collection, definePlugin, endpoint, field, number, z } from '../../core/plugin.ts'
import {
  type Domain,
  domainsTable,
  findHolder,
  placeOnDomain,
  removeDomain,
  verifiedDomains,
  withLinksCount,
} from './custom-domains/domains.ts'
import { handOverDomains } from './custom-domains/hand-over.ts'
import { hostSchema, readHost } from './custom-domains/host.ts'
import { makeProof } from './custom-domains/proof.ts'
import {
  alreadyYours,
  inUse,
  isOurs,
  notInPlan,
  notYours,
  ofInstance,
  refuseCircle,
  refuseOurs,
  refuseTooMany,
} from './custom-domains/refusals.ts'
import { findShared, isOpenTo, sharedDomains } from './custom-domains/shared.ts'
import { planOf, sharedEndpoints, sharedPanel } from './custom-domains/shared-endpoints.ts'
import { domainSchema, showDomain } from './custom-domains/show-domain.ts'
import { makeDomainTables, makeSharedTables } from './custom-domains/tables.ts'
import { takeHost } from './custom-domains/take-host.ts'

const leading = address({ label: 'Address', leads: true }).schema.nullable().optional()
const change = z.strictObject({
  rootUrl: leading.meta({
    description: 'Where `/` leads; null: a page that says there is no link.',
  }),
  notFoundUrl: leading.meta({
    description: 'Where unknown short codes lead; null: a page that says so.',
  }),
})

const domains = collection({
  path: '/domains',
  table: domainsTable,
  kind: 'domain',
  idKind: 'dom',
  scopes: { read: 'domains:read', write: 'domains:write' },
  summaries: {
    list: 'List your domains, by host',
    create: 'Add a domain; it can have links once it is verified',
    show: 'Show a domain, and how to verify it',
    change: 'Change the front page and the not found page of a domain',
    delete: 'Delete a domain that has no links',
  },
  unstable: { tools: { list: 'List the domains of the account, on which links can be.' } },
  dated: true,
  unique: { columns: ['host'], refusal: alreadyYours },
  body: change.extend({ host: hostSchema }),
  changes: change,
  addresses: ({ rootUrl, notFoundUrl }) =>
    Object.entries({ rootUrl, notFoundUrl }).flatMap(([field, url]) =>
      url ? [{ field, url }] : [],
    ),
  inTransaction: true,
  async create({ host, rootUrl = null, notFoundUrl = null }, { count }, context) {
    const max = context.settings.maxPerAccount as number
    return (
      refuseOurs(host, context) ??
      ((await findShared(context.db, host)) && ofInstance) ??
      refuseCircle(host, { rootUrl, notFoundUrl }, context) ??
      refuseTooMany(await count(), max) ?? {
        host,
        proof: makeProof(),
        root_url: rootUrl,
        not_found_url: notFoundUrl,
      }
    )
  },
  change: ({ rootUrl, notFoundUrl }, { host }: Domain, context) =>
    refuseCircle(host, { rootUrl, notFoundUrl }, context) ?? {
      root_url: rootUrl,
      not_found_url: notFoundUrl,
    },
  remove: async (domain, { db }) =>
    (await removeDomain(db, domain)) ? undefined : inUse(Number(domain.links_count)),
  order: { by: ['host'] },
  rows: withLinksCount,
  item: domainSchema,
  show: rows => rows.map(showDomain),
  version: ({ linksCount, ...domain }) => domain,
})

export default definePlugin({
  feature: 'organization.customDomains',
  about:
    'Put links on your own domains, each with a front page and a page for unknown short codes.',
  scopes: ['domains:read', 'domains:write'],
  settings: { maxPerAccount: number({ label: 'Domains per account', default: 100 }) },
  fields: {
    domain: field(z.string().min(1).max(253), {
      label: 'Domain',
      hint: 'Host of one of your verified domains or of one that is shared with you; null, the default of new links, is the host of this instance.',
      control: 'domain',
      stored: false,
    }),
  },
  migrations: { '001-domains': makeDomainTables, '002-shared': makeSharedTables },

  async prepare({ accountId, link, fields: { domain } }, context) {
    const { db, links, unstable } = context
    if (domain === undefined) return undefined
    if (domain === null || isOurs(domain, links)) return { domain: '' }
    const host = readHost(domain) ?? ''
    const plan = await planOf(accountId, context)
    const shared = await findShared(db, host)
    if (shared) return isOpenTo(shared, plan) || link?.domain === host ? { domain: host } : notYours
    if (!unstable.plans().some(it => it.slug === plan && it.isEnough)) return notInPlan
    const holder = await findHolder(db, host)
    return holder?.account_id === accountId ? { domain: holder.host } : notYours
  },
  async save(link, _, { db }) {
    // Checked again in the transaction, because the domain may have been removed since `prepare`.
    return (await placeOnDomain(db, link)) ? undefined : notYours
  },

  unstable: {
    // Its own domains need the plugin in the plan of an account, those of the instance say for themselves who may use them.
    openFields: ['domain'],
    handOver: handOverDomains,
    async hosts({ db }) {
      const ofAccounts = await verifiedDomains(db)
      const ofInstance = (await sharedDomains(db)).map(it => ({ ...it, account_id: null }))
      return [...ofAccounts, ...ofInstance].map(it => ({
        name: it.host,
        accountId: it.account_id,
        rootUrl: it.root_url,
        notFoundUrl: it.not_found_url,
      }))
    },
    dashboard: {
      page: {
        label: 'Shared domains',
        icon: 'globe',
        lead: 'Domains of this instance, on which the accounts of some plans or of all can have links.',
        panels: [sharedPanel],
      },
    },
  },

  endpoints: {
    ...domains.endpoints,
    ...sharedEndpoints,
    'POST /domains/:id/verify': endpoint({
      summary: 'Verify that a domain is yours',
      scope: 'domains:write',
      rateLimit: { max: 10, seconds: 60 },
      answer: z.strictObject({ data: domainSchema }),
      async handle({ caller, params: { id = '' } }, context) {
        const claimed = await domains.find(caller, id, context)
        if (!claimed) return
        if (claimed.verified_host === null) {
          const refused = await takeHost(claimed, context)
          if (refused) return refused
        }
        const domain = await domains.find(caller, id, context)
        return domain && { data: showDomain(domain) }
      },
    }),
  },
})

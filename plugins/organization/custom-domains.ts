import {
  address,
  type Context,
  definePlugin,
  endpoint,
  field,
  listOf,
  listSchema,
  number,
  pageQuery,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import {
  addDomain,
  changeDomain,
  countDomains,
  findDomain,
  findHolder,
  listDomains,
  placeOnDomain,
  removeDomain,
  verifiedDomains,
} from './custom-domains/domains.ts'
import { hostSchema, readHost } from './custom-domains/host.ts'
import { makeProof } from './custom-domains/proof.ts'
import {
  alreadyYours,
  inUse,
  isOurs,
  notYours,
  refuseCircle,
  refuseOurs,
  refuseTooMany,
} from './custom-domains/refusals.ts'
import { domainSchema, showDomain } from './custom-domains/show-domain.ts'
import { makeDomainTables } from './custom-domains/tables.ts'
import { takeHost } from './custom-domains/take-host.ts'
import { isPartOf } from './is-part-of.ts'

const leading = address({ label: 'Address' }).schema.nullable().optional()
const change = z.strictObject({
  rootUrl: leading.meta({
    description: 'Where `/` leads; null: a page that says there is no link.',
  }),
  notFoundUrl: leading.meta({
    description: 'Where unknown short codes lead; null: a page that says so.',
  }),
})
type Leading = Readonly<Partial<Record<'rootUrl' | 'notFoundUrl', string | null | undefined>>>

const addresses = ({ rootUrl, notFoundUrl }: Leading) =>
  Object.entries({ rootUrl, notFoundUrl }).flatMap(([field, url]) => (url ? [{ field, url }] : []))
const newDomain = change.extend({ host: hostSchema })

const answer = z.strictObject({ data: domainSchema })

export default definePlugin({
  feature: 'organization.customDomains',
  about:
    'Put links on your own domains, each with a front page and a page for unknown short codes.',
  scopes: ['domains:read', 'domains:write'],
  settings: { maxPerAccount: number({ label: 'Domains per account', default: 100 }) },
  fields: {
    domain: field(z.string().min(1).max(253), {
      label: 'Domain',
      hint: 'Host of one of your verified domains; null, the default of new links, is the host of this instance.',
      control: 'domain',
      stored: false,
    }),
  },
  migrations: { '001-domains': makeDomainTables },

  async prepare({ accountId, fields: { domain } }, { db, links }) {
    if (domain === undefined) return undefined
    if (domain === null || isOurs(domain, links)) return { domain: '' }
    const holder = await findHolder(db, readHost(domain) ?? '')
    return holder?.account_id === accountId ? { domain: holder.host } : notYours
  },
  async save(link, _, { db }) {
    // Checked again in the transaction, because the domain may have been removed since `prepare`.
    return (await placeOnDomain(db, link)) ? undefined : notYours
  },

  async hosts({ db }) {
    const domains = await verifiedDomains(db)
    return domains.map(it => ({
      name: it.host,
      accountId: it.account_id,
      rootUrl: it.root_url,
      notFoundUrl: it.not_found_url,
    }))
  },

  endpoints: {
    'POST /domains': endpoint({
      summary: 'Add a domain; it can have links once it is verified',
      scope: 'domains:write',
      body: newDomain,
      addresses,
      answer,
      status: 201,
      async handle({ caller: { accountId }, body }, context) {
        const { db, now } = context
        const { host, rootUrl = null, notFoundUrl = null } = body
        const max = context.settings.maxPerAccount as number
        const refused =
          refuseOurs(host, context) ??
          refuseCircle(host, body, context) ??
          refuseTooMany(await countDomains(db, accountId), max)
        if (refused) return refused
        const values = { host, proof: makeProof(), root_url: rootUrl, not_found_url: notFoundUrl }
        const domain = await addDomain(db, accountId, values, now())
        return domain ? { data: showDomain(domain) } : alreadyYours
      },
    }),
    'GET /domains': endpoint({
      summary: 'List your domains, by host',
      scope: 'domains:read',
      query: pageQuery,
      answer: listSchema(domainSchema),
      async handle({ caller, query }, { db }) {
        const { rows, total, next } = await listDomains(db, caller.accountId, sliceOf(query))
        return listOf(rows.map(showDomain), total, query, '/api/v1/domains', next)
      },
    }),
    'GET /domains/:id': endpoint({
      summary: 'Show a domain, and how to verify it',
      scope: 'domains:read',
      answer,
      version: ({ data: { linksCount, ...domain } }) => domain,
      handle: ({ caller, params: { id = '' } }, context) => showOne(caller, id, context),
    }),
    'PATCH /domains/:id': endpoint({
      summary: 'Change the front page and the not found page of a domain',
      scope: 'domains:write',
      body: change,
      addresses,
      answer,
      async handle({ caller, params: { id = '' }, body }, context) {
        const { db, now } = context
        const domain = await findDomain(db, caller.accountId, id)
        if (!domain) return
        const refused = refuseCircle(domain.host, body, context)
        if (refused) return refused
        const values = { root_url: body.rootUrl, not_found_url: body.notFoundUrl }
        if (!isPartOf(domain, values)) await changeDomain(db, domain, values, now())
        return showOne(caller, id, context)
      },
    }),
    'DELETE /domains/:id': endpoint({
      summary: 'Delete a domain that has no links',
      scope: 'domains:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller, params: { id = '' } }, { db }) {
        const domain = await findDomain(db, caller.accountId, id)
        if (!domain) return
        return (await removeDomain(db, domain)) ? {} : inUse(Number(domain.links_count))
      },
    }),
    'POST /domains/:id/verify': endpoint({
      summary: 'Verify that a domain is yours',
      scope: 'domains:write',
      rateLimit: { max: 10, seconds: 60 },
      answer,
      async handle({ caller, params: { id = '' } }, context) {
        const domain = await findDomain(context.db, caller.accountId, id)
        if (!domain) return
        if (domain.verified_host === null) {
          const refused = await takeHost(domain, context)
          if (refused) return refused
        }
        return showOne(caller, id, context)
      },
    }),
  },
})

async function showOne({ accountId }: { readonly accountId: number }, id: string, { db }: Context) {
  const domain = await findDomain(db, accountId, id)
  return domain && { data: showDomain(domain) }
}

import {
  address,
  type Context,
  endpoint,
  list,
  notFound,
  optional,
  type Panel,
  publicId,
  type Refusal,
  readPublicId,
  refuse,
  shownAddress,
  text,
  z,
} from '../../../core/plugin.ts'
import { isHeld } from './domains.ts'
import { hostSchema } from './host.ts'
import { ofAccount, refuseCircle, refuseOurs, refuseTooMany, sharedInUse } from './refusals.ts'
import {
  findShared,
  isOpenTo,
  type SharedDomain,
  share,
  sharedDomains,
  type Use,
  unshare,
  usesOf,
} from './shared.ts'

/** The list has no pages. */
const most = 500

const idKind = 'dsh'

const leading = address({ label: '', leads: true }).schema.nullable().default(null)

const sharing = z.strictObject({
  host: hostSchema.meta({ description: 'The host, without scheme, port and path.' }),
  plans: z.array(z.string().min(1).max(50)).min(1).max(100).nullable().default(null).meta({
    description: 'The slugs of the plans whose accounts may put links on it; null: all.',
  }),
  rootUrl: leading.meta({
    description: 'Where `/` leads; null: a page that says there is no link.',
  }),
  notFoundUrl: leading.meta({
    description: 'Where unknown short codes lead; null: a page that says so.',
  }),
})

const sharedSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  plans: z.array(z.string()).nullable(),
  rootUrl: shownAddress.nullable(),
  notFoundUrl: shownAddress.nullable(),
  linksCount: z.int().min(0),
  accountsCount: z.int().min(0).meta({ description: 'How many accounts these links belong to.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

function show(domain: SharedDomain, { links, accounts }: Use): z.input<typeof sharedSchema> {
  return {
    id: publicId(idKind, domain.id),
    host: domain.host,
    plans: domain.plans === null ? null : JSON.parse(domain.plans),
    rootUrl: domain.root_url,
    notFoundUrl: domain.not_found_url,
    linksCount: links,
    accountsCount: accounts,
    createdAt: new Date(domain.created_at).toISOString(),
    updatedAt: new Date(domain.updated_at).toISOString(),
  }
}

/** The slug of the plan that an account is on; undefined once there is no such account. */
export async function planOf(
  accountId: number,
  { unstable }: Pick<Context, 'unstable'>,
): Promise<string | undefined> {
  return (await unstable.accounts.find([accountId]))[0]?.plan
}

const all = 'GET /admin/domains'
const sharesIt = 'POST /admin/domains'
const unsharesIt = 'DELETE /admin/domains/:id'

/** How admins share domains of the instance, and how accounts learn of those that they may use. */
export const sharedEndpoints = {
  'GET /domains/shared': endpoint({
    summary: 'List the shared domains that you may put links on, or have links on',
    scope: 'domains:read',
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          host: z.string(),
          isOpen: z.boolean().meta({ description: 'Whether you may put more links on it.' }),
          linksCount: z.int().min(0).meta({ description: 'Your links on it.' }),
        }),
      ),
    }),
    async handle({ caller: { accountId } }, context) {
      const plan = await planOf(accountId, context)
      const uses = await usesOf(context.db, accountId)
      const domains = (await sharedDomains(context.db)).map(it => ({
        ...{ host: it.host, isOpen: isOpenTo(it, plan), linksCount: uses(it).links },
      }))
      return { data: domains.filter(it => it.isOpen || it.linksCount > 0) }
    },
  }),

  [all]: endpoint({
    summary: 'List the domains that the instance shares with accounts',
    scope: 'admin',
    answer: z.strictObject({ data: z.array(sharedSchema) }),
    async handle(_, { db }) {
      const uses = await usesOf(db)
      return { data: (await sharedDomains(db)).map(it => show(it, uses(it))) }
    },
  }),

  [sharesIt]: endpoint({
    summary: 'Share a domain with the accounts of some plans or of all, or change how it is shared',
    scope: 'admin',
    body: sharing,
    answer: z.strictObject({ data: sharedSchema }),
    inTransaction: true,
    addresses: ({ rootUrl, notFoundUrl }) =>
      Object.entries({ rootUrl, notFoundUrl }).flatMap(([field, url]) =>
        url ? [{ field, url }] : [],
      ),
    async handle({ body: { host, plans, rootUrl, notFoundUrl } }, context) {
      const { db, now } = context
      const refused =
        refuseOurs(host, context) ??
        refuseCircle(host, { rootUrl, notFoundUrl }, context) ??
        refuseUnknown(plans, context) ??
        ((await findShared(db, host)) ? undefined : await refuseNew(host, context))
      if (refused) return refused
      const kept = plans === null ? null : JSON.stringify([...new Set(plans)])
      const named = { host, plans: kept, root_url: rootUrl, not_found_url: notFoundUrl }
      await share(db, named, now().getTime())
      const domain = await findShared(db, host)
      return domain && { data: show(domain, (await usesOf(db))(domain)) }
    },
  }),

  [unsharesIt]: endpoint({
    summary: 'Share a domain without links no more',
    scope: 'admin',
    status: 204,
    answer: z.strictObject({}),
    inTransaction: true,
    async handle({ params: { id = '' } }, { db }) {
      const rowId = readPublicId(idKind, id)
      const domain = (await sharedDomains(db)).find(it => Number(it.id) === rowId)
      if (!domain) return notFound
      if (await unshare(db, domain)) return undefined
      const { links, accounts } = (await usesOf(db))(domain)
      return sharedInUse(links, accounts)
    },
  }),
}

async function refuseNew(host: string, { db }: Context): Promise<Refusal | undefined> {
  if (await isHeld(db, host)) return ofAccount
  return refuseTooMany((await sharedDomains(db)).length, most)
}

function refuseUnknown(
  plans: readonly string[] | null,
  { unstable }: Context,
): Refusal | undefined {
  const known = unstable.plans().map(({ slug }) => slug)
  const strange = plans?.find(it => !known.includes(it))
  if (strange === undefined) return undefined
  const detail = `There is no plan ${strange}. There are: ${known.join(', ')}.`
  return refuse('validation_failed', detail, 422, 'plans')
}

/** Where admins share them. */
export const sharedPanel: Panel = {
  title: 'Shared domains',
  from: all,
  table: {
    columns: {
      host: { label: 'Host' },
      plans: { label: 'Plans' },
      linksCount: { label: 'Links' },
      accountsCount: { label: 'Accounts' },
      rootUrl: { label: 'Front page', as: 'address' },
      notFoundUrl: { label: 'Unknown short codes', as: 'address' },
    },
    buttons: [
      {
        label: 'Share no more',
        call: unsharesIt,
        confirm: 'The host then shows nothing of Linnet. This works only while no links are on it.',
      },
    ],
  },
  form: {
    call: sharesIt,
    fields: {
      host: text({
        label: 'Host',
        hint: 'As links.example.org. One that is shared already is changed to what you enter here.',
        max: 253,
      }),
      plans: optional(
        list({ label: 'Plans', hint: 'The short names of the plans, as free. Empty: all.' }),
      ),
      rootUrl: optional(address({ label: 'Address of the front page', leads: true })),
      notFoundUrl: optional(address({ label: 'Address for unknown short codes', leads: true })),
    },
    submit: 'Share this domain',
  },
}

import { countedByCore } from '../../accounts/usage.ts'
import { toSnake } from '../../lib/text/casing.ts'
import type { OwnPath } from '../../links/codes/claimed-paths.ts'
import type { Plugin } from '../../plugin.ts'

/** The members of a link in answers without any plugin. */
export const namesOfLink: readonly string[] = [
  'id',
  'shortCode',
  'shortUrl',
  'originalUrl',
  'domain',
  'title',
  'notes',
  'archived',
  'status',
  'visits',
  'lastVisitAt',
  'createdAt',
  'updatedAt',
]

/** The fields of requests that create or edit a link without any plugin. */
export const namesOfRequest: Readonly<Record<'create' | 'edit', readonly string[]>> = {
  create: ['originalUrl', 'title', 'notes', 'archived', 'reuse'],
  edit: ['title', 'notes', 'archived'],
}

/** The parameters of the list of links without any plugin. */
export const namesOfList: readonly string[] = [
  ...['page', 'perPage', 'cursor', 'search', 'shortCode', 'originalUrl', 'status', 'domain'],
  ...['archived', 'createdFrom', 'createdTo', 'sort'],
]

/** The members of the answer of `/analytics` besides the dimensions, including those about the period before. */
export const namesOfAnalytics: readonly string[] = [
  'from',
  'to',
  'timezone',
  'granularity',
  'totals',
  'undated',
  'previous',
  'change',
]

/** The names of limits and usage in plans without any plugin. */
export const namesOfPlan: Readonly<Record<'limits' | 'usage', readonly string[]>> = {
  limits: ['maxLinksCreatedPerMonth', 'maxTrackedVisitsPerMonth'],
  usage: countedByCore,
}

/** The ids of schemas in the description of the API without any plugin. */
export const schemasOfApi: readonly string[] = [
  ...[
    'AdminPlan',
    'Analytics',
    'DeletedLink',
    'Features',
    'Identity',
    'Link',
    'ListedAccount',
    'LiveVisits',
    'PageLinks',
    'PageMeta',
  ],
  ...['Plan', 'Points', 'Problem', 'Profile', 'Scope', 'TopLinks', 'Values'],
]

const methodsOfApi = {
  '/admin/accounts': 'GET POST',
  '/admin/accounts/:id': 'GET PATCH DELETE',
  '/admin/accounts/:id/hand-over': 'POST',
  '/admin/accounts/:id/one-time-link': 'POST DELETE',
  '/admin/accounts/:id/release': 'POST',
  '/admin/accounts/:id/suspend': 'POST',
  '/admin/backups': 'GET POST',
  '/admin/backups/:id': 'GET DELETE',
  '/admin/backups/:id/download-link': 'POST',
  '/admin/backups/:id/preview': 'GET',
  '/admin/brand': 'GET PATCH',
  '/admin/brand/preview': 'POST',
  '/admin/doctor': 'GET',
  '/admin/features': 'GET PATCH',
  '/admin/instance': 'GET',
  '/admin/jobs': 'GET',
  '/admin/jobs/:id/run': 'POST',
  '/admin/plans': 'GET POST',
  '/admin/plans/:id': 'GET PATCH DELETE',
  '/admin/plans/:id/move-accounts': 'POST',
  '/admin/plugins': 'GET',
  '/admin/plugins/:id': 'PATCH',
  '/admin/plugins/index': 'GET',
  '/admin/plugins/packages': 'GET POST DELETE',
  '/admin/plugins/packages/outdated': 'GET',
  '/analytics': 'GET',
  '/analytics.csv': 'GET',
  '/analytics/links': 'GET',
  '/analytics/links.csv': 'GET',
  '/analytics/live': 'GET',
  '/languages': 'GET',
  '/languages/:id': 'GET',
  '/links': 'GET POST',
  '/links/:id': 'GET PATCH DELETE',
  '/links/:id/analytics': 'GET',
  '/links/:id/analytics.csv': 'GET',
  '/links/:id/analytics/links': 'GET',
  '/links/:id/analytics/links.csv': 'GET',
  '/links/:id/analytics/live': 'GET',
  '/links/bulk': 'POST PATCH DELETE',
  '/links/:id/restore': 'POST',
  '/links/deleted': 'GET',
  '/links/deleted/:id': 'DELETE',
  '/links/lookup': 'GET',
  '/links/short-codes': 'GET',
  '/one-time-link/open': 'POST',
  '/one-time-link/use': 'POST',
  '/openapi.json': 'GET',
  '/plugins': 'GET',
  '/profile': 'GET PATCH DELETE',
  '/profile/password': 'PATCH',
  '/session': 'GET POST DELETE',
  '/session/ask': 'POST',
  '/session/proof': 'POST',
  '/session/from/:id/:id': 'GET',
  '/session/step': 'POST',
  '/session/with/:id/:id': 'GET',
  '/identities': 'GET',
  '/identities/:id': 'DELETE',
  '/admin/accounts/:id/sessions': 'GET',
  '/admin/accounts/:id/sessions/:id': 'DELETE',
  '/admin/accounts/:id/api-tokens': 'GET',
  '/admin/accounts/:id/api-tokens/:id': 'DELETE',
  '/session/leave/:id/:id': 'GET',
  '/one-time-link/ask': 'POST',
  '/one-time-link/accept': 'POST',
  '/admin/accounts/:id/identities': 'GET',
  '/admin/accounts/:id/identities/:id': 'DELETE',
  '/sessions': 'GET',
  '/sessions/:id': 'DELETE',
  '/setup': 'POST',
}

/** The routes of the API below `/api/v1` without any plugin. */
export const addressesOfApi: readonly string[] = Object.entries(methodsOfApi).flatMap(
  ([path, methods]) => methods.split(' ').map(method => `${method} ${path}`),
)

/** The routes of a plugin in the API. Each parameter becomes `:id`, because its name does not distinguish routes. */
export function addressesOf(plugin: Partial<Plugin>): readonly string[] {
  const { endpoints = {}, groups = {}, unstable: { keys = [] } = {} } = plugin
  const numbers = Object.keys(groups).flatMap(path =>
    ['', '.csv', '/links', '/links.csv'].map(ending => `GET ${path}/:id/analytics${ending}`),
  )
  const byKey = keys.flatMap(key => ['GET', 'PUT', 'DELETE'].map(it => `${it} ${pathByKey(key)}`))
  const all = [...Object.keys(endpoints), ...numbers, ...byKey]
  return all.map(name => name.replace(/:[^/.]+/g, ':id'))
}

/** Where the API has the link that has a value in this field. */
export function pathByKey(field: string): string {
  return `/links/by-${toSnake(field).replaceAll('_', '-')}/:id`
}

export function pathsOf({ site, mounts = {} }: Partial<Plugin>): readonly OwnPath[] {
  const ofMounts = Object.entries(mounts).map(
    ([path, { hosts }]): OwnPath => [path, hosts ?? 'base'],
  )
  return site ? [[site.path, 'base'], ...ofMounts] : ofMounts
}

/** The names of what a plugin adds to links in answers. */
export function membersOfLinks({ fields = {}, computed }: Partial<Plugin>): readonly string[] {
  const shown = Object.entries(fields).flatMap(([name, field]) =>
    field.stored && field.shown ? [field.shown.name(name)] : [],
  )
  return [...shown, ...Object.keys(computed?.schema ?? {})]
}

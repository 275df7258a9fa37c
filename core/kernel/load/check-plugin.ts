import { validate as isCron } from 'node-cron'
import { z } from 'zod'
import { suffixPattern } from '../../links/codes/read-path.ts'
import type { Field, Json } from '../../plugin/fields.ts'
import { API, type Plugin } from '../../plugin.ts'
import { checkDashboard } from './check-dashboard.ts'
import { checkLanguages } from './check-languages.ts'
import { checkSchemas } from './check-schemas.ts'
import { checkInheritedNames, checkTakenNames } from './check-taken-names.ts'
import { dashboardTexts } from './dashboard-places.ts'
import { fileNamePattern, kindsOfLinnet } from './names.ts'
import { textsOf } from './plugin-texts.ts'
import { checkShape } from './shape/check-shape.ts'

const featurePattern = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/
const fieldPattern = /^[a-z][A-Za-z0-9]*$/
const sitePattern = /^(?!(api|assets|health)$)[a-z][a-z0-9-]*$/
const mountPattern =
  /^(?!(api|assets|health|api\/v1)$)((\.well-known|api|api\/v1)\/)?[a-z][a-z0-9.-]*$/
/** Not those with the client's address, by whatever proxy, and no cookies. */
const headerPattern =
  /^(?!(cookie|forwarded|x-forwarded-for|x-real-ip|[a-z-]*(client|connecting)-ip)$)[a-z][a-z0-9-]*$/
const groupPattern = /^\/[a-z][a-z0-9-]*$/
const commandPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const statusPattern = /^[a-z][a-z0-9_]{0,39}$/
const scopePattern = /^[a-z][a-z0-9-]*:(read|write)$/
const translationsSchema = z.record(
  z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/),
  z.record(z.string(), z.string()),
)
const fiveFields = /^\s*(\S+\s+){4}\S+\s*$/
const endpointPattern = /^(GET|POST|PUT|PATCH|DELETE) \/[a-z0-9/:_-]+$/i

/** Results by plugin and by the name that it is listed under. */
const checked = new WeakMap<object, Map<string, readonly string[]>>()

/**
 * Returns what is wrong with the default export of a plugin, as sentences; empty if it is a valid plugin. Each plugin
 * is checked only once, however often plugins are switched, because a check takes longer than a redirect should wait.
 */
export function checkPlugin(value: unknown, listedAs: string): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [`${listedAs} exports no plugin. Its default export must be definePlugin({ … }).`]
  }
  const byName = checked.get(value) ?? new Map<string, readonly string[]>()
  checked.set(value, byName)
  const mistakes = byName.get(listedAs) ?? mistakesOf(value, listedAs)
  byName.set(listedAs, mistakes)
  return mistakes
}

/** The checks leave out the name that each sentence begins with. */
function mistakesOf(plugin: Partial<Plugin>, listedAs: string): readonly string[] {
  const identity = [...checkIdentity(plugin, listedAs)]
  const shape = checkShape(plugin)
  const mistakes = [...identity, ...(shape.length > 0 ? shape : checkParts(plugin))]
  return mistakes.map(mistake => `${listedAs} ${mistake}`)
}

/** What is wrong with parts that are all of the right kind. */
function checkParts(plugin: Partial<Plugin>): readonly string[] {
  return [
    ...checkScopes(plugin),
    ...checkTranslations(plugin),
    ...checkFields(plugin),
    ...checkInheritedNames(plugin),
    ...checkTakenNames(plugin),
    ...checkNamedParts(plugin),
    ...checkSchemas(plugin),
    ...checkStatuses(plugin),
    ...checkTotals(plugin),
    ...checkKeys(plugin),
    ...checkLimits(plugin),
    ...checkSite(plugin),
    ...checkMounts(plugin),
    ...checkTells(plugin),
    ...checkSigningIn(plugin),
    ...checkCommands(plugin),
    ...checkData(plugin),
    ...checkDashboard(plugin),
    ...checkLanguages(plugin),
  ]
}

function* checkIdentity(plugin: Partial<Plugin>, listedAs: string): Iterable<string> {
  if (plugin.api !== API) {
    yield `was written for plugin API ${plugin.api ?? 'unknown'}, this is ${API}: update the plugin.`
  }
  if (typeof plugin.feature !== 'string' || !featurePattern.test(plugin.feature)) {
    yield 'has no valid feature. Name it group.name, such as acme.officeHours.'
  } else if (plugin.feature !== listedAs) {
    yield `calls itself ${plugin.feature}: list it under that name.`
  }
  for (const list of ['needs', 'before', 'after'] as const) {
    if (!isListOfNames(plugin[list] ?? [])) {
      yield `has an invalid ${list}. Write ${list}: ['group.name'].`
    }
  }
  for (const name of ['label', 'group'] as const) {
    const text = plugin[name]
    if (text !== undefined && !(typeof text === 'string' && /^\S.{0,59}$/.test(text))) {
      yield `has an invalid ${name}. Use one line of at most 60 characters.`
    }
  }
  if (typeof plugin.about !== 'string' || !/^\S.{1,160}\.$/.test(plugin.about)) {
    yield 'has no valid description. Set about to one line of 3 to 162 characters that ends with a full stop.'
  }
}

function* checkScopes({ scopes = [] }: Partial<Plugin>): Iterable<string> {
  if (!isListOfNames(scopes)) {
    yield `has invalid scopes. Write scopes: ['moods:read', 'moods:write'].`
    return
  }
  for (const scope of scopes) {
    if (scopePattern.test(scope)) continue
    yield `has a scope "${scope}": name it by what may be read or written, such as moods:read.`
  }
}

/** A translation of a text that the plugin does not have would never be shown, and nobody would know why. */
function* checkTranslations(plugin: Partial<Plugin>): Iterable<string> {
  const { translations = {} } = plugin
  if (!translationsSchema.safeParse(translations).success) {
    yield `has invalid translations. Write translations: { de: { Hours: 'Stunden' } }.`
    return
  }
  const known = [...textsOf(plugin), ...dashboardTexts(plugin)]
  for (const [language, texts] of Object.entries(translations)) {
    for (const text of Object.keys(texts)) {
      if (known.includes(text)) continue
      yield `translates "${text}" into ${language} but never uses it. Write it exactly as its label, group, about or hint does.`
    }
  }
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(it => typeof it === 'string')
}

function* checkFields(plugin: Partial<Plugin>): Iterable<string> {
  for (const name of Object.keys(plugin.fields ?? {})) {
    if (!fieldPattern.test(name)) {
      yield `has a field ${name}: name fields in camelCase.`
    }
  }
  for (const name of Object.keys(plugin.filter?.query ?? {})) {
    if (!fieldPattern.test(name)) {
      yield `has a filter ${name}: name filters in camelCase. Requests may write them in snake_case, too.`
    }
  }
  for (const [name, setting] of Object.entries(plugin.settings ?? {})) {
    if (setting.default === undefined && setting.env === undefined && !setting.isOptional) {
      yield `has a setting ${name} without a default. Add one, or make it optional(…) or a secret.`
    } else if (setting.default !== undefined && !takesDefault(setting)) {
      yield `has a setting ${name} that does not accept its own default. Correct one of the two.`
    }
  }
}

function takesDefault({ schema, default: value, open }: Field): boolean {
  try {
    const { success, data } = schema.safeParse(value)
    if (success) open(data as Json)
    return success
  } catch {
    return false
  }
}

function* checkNamedParts(plugin: Partial<Plugin>): Iterable<string> {
  for (const [name, dimension] of Object.entries(plugin.dimensions ?? {})) {
    if (dimension.distinct && dimension.chart !== 'number') {
      yield `has a dimension ${name} that counts unique values. Set chart: 'number'.`
    }
  }
  for (const suffix of [
    ...Object.keys(plugin.views ?? {}),
    ...Object.keys(plugin.unstable?.openViews ?? {}),
  ]) {
    if (!suffixPattern.test(suffix)) {
      yield `has a view "${suffix}". Name it by what follows the code, such as + or ~info.`
    }
  }
  for (const path of Object.keys(plugin.groups ?? {})) {
    if (!groupPattern.test(path)) {
      yield `has a group "${path}". Name it by a path, such as /moods.`
    }
  }
  for (const [name, job] of Object.entries(plugin.jobs ?? {})) {
    // Six would begin with seconds.
    if (typeof job.every !== 'string' || !isCron(job.every) || !fiveFields.test(job.every)) {
      yield `runs its job ${name} every "${job.every}". Use five cron fields, such as 17 3 * * *.`
    }
  }
  for (const [name, endpoint] of Object.entries(plugin.endpoints ?? {})) {
    if (!endpointPattern.test(name)) {
      yield `has an endpoint "${name}". Name it by GET, POST, PATCH or DELETE and a path of letters, digits, hyphens and underscores, such as GET /moods/:id.`
    }
    if (name.startsWith('PUT ') && !endpoint.unstable?.file) {
      yield `has an endpoint "${name}" that takes no file. Only one with unstable.file can be called by PUT.`
    }
    if (!endpoint.scope) yield `has an endpoint "${name}" without a scope.`
  }
}

function* checkData({ dimensions = {} }: Partial<Plugin>): Iterable<string> {
  for (const [name, { unstable }] of Object.entries(dimensions)) {
    const file = unstable?.data?.file
    const isNamed = typeof file === 'string' && fileNamePattern.test(file)
    if (file === undefined || isNamed || (file instanceof URL && file.protocol === 'file:'))
      continue
    yield `has a dimension ${name} with invalid data. Write file: new URL('./networks.csv', import.meta.url), or a name such as networks.csv.`
  }
}

/** `active` and `archived` are shown where no plugin says otherwise. */
function* checkStatuses({ statuses = {} }: Partial<Plugin>): Iterable<string> {
  for (const [name, { rank }] of Object.entries(statuses)) {
    if (!statusPattern.test(name) || name === 'active' || name === 'archived') {
      yield `has a status "${name}". Use small letters, digits and underscores, but not active or archived.`
    }
    if (!Number.isInteger(rank)) yield `has a status ${name} without a whole number as its rank.`
  }
}

/** Totals must come from dimensions with the chart `number`, because only these are counted for all time. */
function* checkTotals({ unstable, dimensions = {} }: Partial<Plugin>): Iterable<string> {
  const { totals = {} } = unstable ?? {}
  for (const [name, counted] of Object.entries(totals)) {
    if (!fieldPattern.test(name) || name === 'total' || name === 'undated') {
      yield `has a total ${name}. Name it in camelCase, but not total or undated, which links already have.`
    }
    const { chart, distinct, bots } = dimensions[counted] ?? {}
    if (chart !== 'number' || distinct || bots) {
      yield `has a total ${name} of ${counted}, which is not one of its own dimensions with chart: 'number' that count visits.`
    }
  }
}

function* checkKeys({ unstable, fields = {}, filter }: Partial<Plugin>): Iterable<string> {
  for (const name of unstable?.keys ?? []) {
    if (Object.hasOwn(fields, name) && Object.hasOwn(filter?.query ?? {}, name)) continue
    yield `has a key ${name}, which is not both one of its fields and a parameter of its filter. Add what is missing.`
  }
}

/** A limit must refer to a name in `usage`, and an endpoint to one of the limits. */
function* checkLimits({
  limits = {},
  usage = {},
  endpoints = {},
}: Partial<Plugin>): Iterable<string> {
  for (const [name, limit] of Object.entries(limits)) {
    if (!fieldPattern.test(name)) yield `has a limit ${name}: name limits in camelCase.`
    if (!Object.hasOwn(usage, limit.used)) {
      yield `has a limit ${name} of ${limit.used}, which it does not count. Add usage: { ${limit.used}() { … } }.`
    }
  }
  for (const [name, { limit }] of Object.entries(endpoints)) {
    if (limit !== undefined && !Object.hasOwn(limits, limit)) {
      yield `has an endpoint "${name}" with the limit ${limit}, which is not one of its own. Add it to limits.`
    }
  }
}

function* checkSigningIn({
  unstable: { providers, steps } = {},
}: Partial<Plugin>): Iterable<string> {
  for (const name of Object.keys({ ...providers, ...steps })) {
    if (fieldPattern.test(name)) continue
    yield `signs in by "${name}": name providers and steps in camelCase.`
  }
}

function* checkSite({ site }: Partial<Plugin>): Iterable<string> {
  if (site && !sitePattern.test(site.path)) {
    yield `has its site at "${site.path}". Use one word in lower case, but not api, assets or health.`
  }
  if (site && !(site.folder instanceof URL && site.folder.href.endsWith('/'))) {
    yield `has a site without a folder. Use new URL('./folder/', import.meta.url).`
  }
}

function* checkMounts({ mounts = {} }: Partial<Plugin>): Iterable<string> {
  for (const [path, { origins = [], headers = [] }] of Object.entries(mounts)) {
    if (!mountPattern.test(path)) {
      yield `has a mount "${path}". Name it by the first segment of its path, in lower case, but not api, assets or health. Below /.well-known and /api, name it by both, such as api/v2, and below /api/v1 by all three.`
    }
    if (!isListOfNames(headers) || headers.some(name => !headerPattern.test(name))) {
      yield `has a mount ${path} with invalid headers. Write them in lower case, such as ['x-api-key']. Cookies and addresses cannot be read.`
    }
    if (origins !== '*' && !isListOfNames(origins)) {
      yield `has a mount ${path} with invalid origins. Write '*' or ['https://app.example.org'].`
    }
  }
}

function* checkTells({ unstable }: Partial<Plugin>): Iterable<string> {
  for (const kind of unstable?.tells ?? []) {
    if (!kindsOfLinnet.includes(kind)) continue
    yield `tells of "${kind}", of which only Linnet does. Name a kind of its own, such as note.`
  }
}

function* checkCommands({ unstable }: Partial<Plugin>): Iterable<string> {
  for (const [name, command] of Object.entries(unstable?.commands ?? {})) {
    const { summary, arguments: args = {}, options = {} } = command
    if (!commandPattern.test(name) || name === 'help') {
      yield `has a command "${name}". Name it in lower case, such as import-moods, but not help.`
    }
    if (!/^\S.{1,98}\.$/.test(summary)) {
      yield `has a command ${name} with an invalid summary. Use one line of at most 100 characters with a full stop at its end.`
    }
    const fields = Object.entries({ ...args, ...options })
    for (const [field, { env, control }] of fields) {
      if (!fieldPattern.test(field) || field === 'help' || control === 'password' || env) {
        yield `has a command ${name} with an invalid ${field}. Name it in camelCase, but not help, and let it be no secret.`
      }
    }
    const places = Object.values(args)
    const isOpen = (it: Field) => it.default !== undefined || it.isOptional === true
    const firstOpen = places.findIndex(isOpen)
    const isAfter = firstOpen >= 0 && places.slice(firstOpen).some(it => !isOpen(it))
    if (isAfter || places.slice(0, -1).some(({ control }) => control === 'list')) {
      yield `has a command ${name} whose arguments cannot be told apart. Put those that may be left out behind the others, and a list last.`
    }
  }
}

import assert from 'node:assert/strict'
import { checkPlugin } from '../core/kernel/load/check-plugin.ts'
import { describePlugin } from '../core/kernel/load/manifest.ts'
import { isOwnName, tablePrefix } from '../core/kernel/load/names.ts'
import {
  type Field,
  type Mount,
  type Place,
  type PlaceFact,
  type Plugin,
  type Visit,
  z,
} from '../core/plugin.ts'
import { withData } from '../core/visits/count/dimension-data.ts'
import { dimensionsOf } from '../core/visits/facts/dimensions.ts'
import { openVisit } from '../core/visits/facts/open-visit.ts'
import { boot, type Harness, type VisitOptions } from './harness.ts'
import { letsNobodyIn } from './lets-nobody-in.ts'
import { withOurs } from './with-ours.ts'

/** One property that every plugin must have; `run` throws if it does not hold. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

export interface ConformanceOptions {
  /**
   * Values that fields accept, if the suite cannot guess one. With several sets, each one goes to a link of its
   * own, for fields that exclude each other.
   */
  readonly samples?: Samples | readonly Samples[]
  /** Plugins that this one needs and that do not come with Linnet. */
  readonly with?: readonly Plugin[]
}

/** Values by field name. */
type Samples = Readonly<Record<string, unknown>>

/**
 * The requirements on every plugin, for any test runner.
 *
 * @example
 * for (const { name, run } of conformance(plugin, { samples: { color: '#ff8800' } })) it(name, run)
 */
export function conformance(plugin: Plugin, options: ConformanceOptions = {}): readonly Check[] {
  const others = async () =>
    (await withOurs([...(options.with ?? []), plugin])).filter(it => it !== plugin)
  const all = [...(options.with ?? []), plugin]
  const withInstance = (use: (linnet: Harness) => Promise<void>) => async () => {
    const linnet = await boot(all)
    try {
      await use(linnet)
    } finally {
      await linnet.stop()
    }
  }

  return [
    { name: 'says what it is in one sentence', run: async () => saysWhatItIs(plugin) },
    { name: 'can be described without being run', run: async () => canBeDescribed(plugin) },
    { name: 'starts', run: withInstance(async () => undefined) },
    {
      name: 'costs nothing to a link that does not use it',
      run: withInstance(linnet => costsNothingUnused(linnet)),
    },
    { name: 'keeps to its own tables', run: async () => keepsToItsTables(plugin, await others()) },
    {
      name: 'survives hostile input in each of its fields and at its mounts',
      run: withInstance(async linnet => {
        await survivesHostileInput(plugin, linnet)
        await survivesHostileRequests(plugin, linnet)
      }),
    },
    { name: 'lets links be listed', run: withInstance(linnet => listsLinks(plugin, linnet)) },
    {
      name: 'keeps its data while it is off, and guards what it guarded',
      run: withInstance(async linnet => keepsDataWhileOff(plugin, await others(), options, linnet)),
    },
    {
      name: 'signs nobody in by nonsense, and keeps accounts closed while it is off',
      run: withInstance(async linnet => letsNobodyIn(plugin, await others(), hostile, linnet)),
    },
    { name: 'reads nothing into an empty visit', run: async () => readsNothingIntoNothing(plugin) },
    { name: 'counts hostile visits without failing', run: async () => countsHostileVisits(plugin) },
  ]
}

function saysWhatItIs(plugin: Plugin): void {
  assert.deepEqual(checkPlugin(plugin, plugin.feature), [])
}

function canBeDescribed(plugin: Plugin): void {
  const mustNotRun = () => assert.fail('A hook ran while the plugin was described.')
  const hooks = ['setup', 'dispose', 'prepare', 'validate', 'guard', 'target'] as const
  const still = Object.fromEntries(hooks.map(hook => [hook, mustNotRun]))
  const described = describePlugin({ ...plugin, ...still }, true)
  assert.deepEqual(JSON.parse(JSON.stringify(described)), described)
}

async function costsNothingUnused(linnet: Harness): Promise<void> {
  const link = await linnet.create()
  assert.equal((await linnet.visit(link)).status, 302)
  const code = String(link.shortCode)
  assert.notEqual(linnet.app.cache.get(code)?.redirect, undefined, 'A plain link runs plugin code.')
}

async function keepsToItsTables(plugin: Plugin, others: readonly Plugin[]): Promise<void> {
  const before = await tablesWith(others)
  const after = await tablesWith([...others, plugin])
  const foreign = after.filter(
    name => !before.includes(name) && !isOwnName(name, tablePrefix(plugin.feature)),
  )
  assert.deepEqual(foreign, [])
}

async function tablesWith(plugins: readonly Plugin[]): Promise<readonly string[]> {
  const linnet = await boot(plugins)
  const tables = await linnet.db.introspection.getTables()
  await linnet.stop()
  return tables.map(({ name }) => name)
}

const hostileValues: readonly unknown[] = [
  '',
  ' ',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example',
  "'; drop table links; --",
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: a=b',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  '=1+1',
  'x'.repeat(100_000),
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  true,
  [],
  ['x'],
  {},
  { constructor: { prototype: {} } },
  [[[[[[]]]]]],
]

const hostile = hostileValues.filter(value => typeof value === 'string')

async function survivesHostileInput(plugin: Plugin, linnet: Harness): Promise<void> {
  for (const [name, field] of Object.entries(plugin.fields ?? {})) {
    const existing = await linnet.create()
    for (const value of hostileValues) {
      const answers = [
        ...(field.when === 'edit' ? [] : [await linnet.api('POST', '/links', draft(name, value))]),
        ...(field.when === 'create'
          ? []
          : [await linnet.api('PATCH', `/links/${existing.id}`, { [name]: value })]),
      ]
      for (const { status, body } of answers) {
        const shown = `${name}: ${JSON.stringify(value).slice(0, 60)} answered ${status}`
        assert.ok([200, 201, 403, 409, 413, 422].includes(status), shown)
        if (status < 300) await staysHarmless(linnet, body.data.shortCode, shown)
      }
    }
  }
}

async function survivesHostileRequests({ mounts = {} }: Plugin, linnet: Harness): Promise<void> {
  for (const [path, mount] of Object.entries(mounts)) {
    let client = 0
    for (const value of hostileValues) {
      for (const { below = '', ...visit } of hostileRequests(mount, value)) {
        // Each from somebody else: a client that asks too often is not let through to the plugin.
        client = (client % 250) + 1
        const { status } = await linnet.visit(path + below, { ip: `203.0.113.${client}`, ...visit })
        const shown = `${visit.method} /${path} with ${JSON.stringify(value).slice(0, 60)} answered ${status}`
        assert.ok(status < 500, shown)
      }
    }
  }
}

/** Requests that have a value wherever a mount reads one. */
function hostileRequests(
  { methods = ['GET', 'POST'], headers = [] }: Mount,
  value: unknown,
): readonly (VisitOptions & { readonly below?: string })[] {
  const json = JSON.stringify({ action: value, name: value, url: value })
  const jsons = [json, JSON.stringify(value)].map(body => bodyOf('application/json', body))
  const text = typeof value === 'string' ? value.slice(0, 1_000).toWellFormed() : undefined
  if (text === undefined) return methods.flatMap(method => jsons.map(it => ({ method, ...it })))
  const written = encodeURIComponent(text)
  // What no client can send in a header is left out.
  const sent = text.replace(/[^\t -~]/g, '')
  const named = Object.fromEntries(headers.map(name => [name, sent]))
  const fields = ['action', 'name', 'url'].map(
    name => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  const file = `--X\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\n\r\n${text}\r\n`
  const bodies = [
    {},
    ...jsons,
    { answers: { action: text, name: text, url: text } },
    bodyOf('multipart/form-data; boundary=X', `${fields.join('')}${file}--X--`),
    bodyOf('application/octet-stream', text),
  ]
  return methods.flatMap(method => [
    { method, below: `/${written}`, query: `?action=${written}`, headers: named },
    ...(method === 'GET' ? [] : bodies.map(body => ({ method, ...body }))),
  ])
}

function bodyOf(type: string, body: string): VisitOptions {
  return { body, headers: { 'content-type': type } }
}

async function listsLinks({ filter }: Plugin, linnet: Harness): Promise<void> {
  await linnet.create()
  const asked = Object.keys(filter?.query ?? {}).flatMap(name =>
    hostileValues
      .filter(value => typeof value === 'string')
      .map(text => `?${name}=${encodeURIComponent(text.slice(0, 1_000).toWellFormed())}`),
  )
  for (const query of ['', ...asked]) {
    const { status } = await linnet.api('GET', `/links${query}`)
    const isFine = status === 200 || (query !== '' && status === 422)
    assert.ok(isFine, `GET /links${query.slice(0, 80)} answered ${status}`)
  }
}

const draft = (name: string, value: unknown) => ({
  originalUrl: 'https://example.com/',
  [name]: value,
})

async function staysHarmless(linnet: Harness, code: string, shown: string): Promise<void> {
  const { status, location, text } = await linnet.visit(code)
  assert.ok(status < 500, `${shown}, and following it ${status}`)
  assert.ok(location === undefined || /^https?:\/\/[^/]/.test(location), `${shown}: ${location}`)
  assert.ok(!text.includes('<script>'), `${shown}, and its page runs a script`)
}

async function keepsDataWhileOff(
  plugin: Plugin,
  others: readonly Plugin[],
  { samples = {} }: ConformanceOptions,
  linnet: Harness,
): Promise<void> {
  let last = linnet
  for (const given of valuesFor(plugin, samples)) {
    last = await keepsLinkWhileOff(plugin, others, given, last)
  }
  await last.app.close()
}

async function keepsLinkWhileOff(
  plugin: Plugin,
  others: readonly Plugin[],
  given: Samples,
  linnet: Harness,
): Promise<Harness> {
  const before = await linnet.create(given)
  const visitBefore = await linnet.visit(before)
  // A page of a target protects nothing: without the plugin its links lead on at once.
  const guards = plugin.guard !== undefined && visitBefore.location === undefined

  const off = await linnet.restart(others)
  const changed = await off.api('PATCH', `/links/${before.id}`, { title: 'Changed while off' })
  assert.equal(changed.status, 200)
  if (guards)
    assert.equal((await off.visit(before)).status, 503, 'A guard that is off lets through.')

  const on = await off.restart([...others, plugin])
  const { body } = await on.api('GET', `/links/${before.id}`)
  const expected = { ...before, title: 'Changed while off', updatedAt: body.data.updatedAt }
  assert.deepEqual({ ...body.data, visits: before.visits, lastVisitAt: null }, expected)
  const visitAfter = await on.visit(before)
  assert.equal(visitAfter.status, visitBefore.status)
  assert.equal(visitAfter.location, visitBefore.location)
  return on
}

/** The values for each of the links. */
function valuesFor(
  { fields = {} }: Plugin,
  samples: Samples | readonly Samples[],
): readonly Samples[] {
  if (isList(samples)) return samples
  const kept = Object.entries(fields).filter(([, { stored, when }]) => stored && when !== 'edit')
  return [
    Object.fromEntries(
      kept.map(([name, field]) => [name, samples[name] ?? sampleFor(name, field)]),
    ),
  ]
}

/** `Array.isArray` alone does not recognize a readonly array. */
function isList(samples: Samples | readonly Samples[]): samples is readonly Samples[] {
  return Array.isArray(samples)
}

const guesses: readonly unknown[] = [
  'sample',
  'https://example.com/sample',
  '2030-01-01T00:00:00.000Z',
  7,
  true,
  ['sample'],
]

function sampleFor(name: string, field: Field): unknown {
  const { schema } = field
  const words = schema instanceof z.ZodEnum ? schema.options : []
  const literals = schema instanceof z.ZodLiteral ? [...schema.values] : []
  const guess = [...guesses, ...words, ...literals].find(
    value => field.schema.safeParse(value).success,
  )
  assert.notEqual(guess, undefined, `Give a value for ${name} in samples.`)
  return guess
}

function readsNothingIntoNothing(plugin: Plugin): void {
  for (const { name, ...dimension } of dimensionsToTry(plugin)) {
    const { visit, read } = watched(visitWith(plugin, {}))
    const value = dimension.of(visit, undefined)
    const isEmpty = value === undefined || (dimension.total === true && value === '')
    assert.ok(
      isEmpty || followsFromTime(read),
      `${name} reads ${JSON.stringify(value)} into a visit that says nothing.`,
    )
  }
}

/** With their data, unless that is in a file which only a running Linnet has. */
function dimensionsToTry(plugin: Plugin) {
  const all = dimensionsOf([plugin])
  return withData(
    all.filter(({ unstable }) => typeof unstable?.data?.file !== 'string'),
    undefined,
  )
}

/** Every visit has a time, so a value computed from the time alone is never empty. */
function followsFromTime(read: ReadonlySet<string>): boolean {
  return read.size === 1 && read.has('at')
}

/** A visit, and a record of which of its facts are read. */
function watched(visit: Visit): { visit: Visit; read: ReadonlySet<string> } {
  const read = new Set<string>()
  const watching = new Proxy(visit, {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name)
    },
  })
  return { visit: watching, read }
}

function countsHostileVisits(plugin: Plugin): void {
  for (const text of hostileValues.filter(value => typeof value === 'string')) {
    const visit = visitWith(plugin, { userAgent: text, referer: text, language: text, query: text })
    for (const dimension of dimensionsToTry(plugin)) dimension.of(visit, undefined)
  }
}

function visitWith(
  plugin: Plugin,
  said: Partial<Record<'userAgent' | 'referer' | 'language' | 'query', string>>,
): Visit {
  const view = {
    id: 'lnk_x',
    rowId: 1,
    accountId: 1,
    domain: '',
    shortCode: 'x',
    originalUrl: 'https://example.com/',
  }
  const owner = { accountId: 1, collect: [], maxTrackedVisits: 1 }
  const raw = {
    link: { id: 1, view, owner },
    at: 0,
    ip: '',
    userAgent: '',
    referer: '',
    language: '',
    query: '',
    totalsOnly: false,
    ...said,
  }
  const place = placeFor(plugin)
  return openVisit(raw, { country: () => place.country, city: () => place.city })
}

/** A plugin that does not declare what it reads gets nothing: it would never count, and nobody would know why. */
function placeFor({ feature, reads }: Plugin): Place {
  const read = (fact: PlaceFact) => {
    assert.ok(reads?.includes(fact), `${feature} reads visit.place without reads: ['${fact}'].`)
    return undefined
  }
  return {
    get country() {
      return read('place')
    },
    get city() {
      return read('city')
    },
  }
}

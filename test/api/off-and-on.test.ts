import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Plugin } from '../../core/plugin.ts'
import { isNight } from '../at-night.ts'
import type { Harness, ShownLink } from '../harness.ts'
import { toSnake } from '../inside.ts'
import { agents } from '../plugins/analytics/agents.ts'
import { bodyOf, type Operation, readDocument, type Schema } from './document.ts'
import { bootAll, plugins } from './whole-instance.ts'

/** One instance; each plugin in turn is off for one start. */
let linnet: Harness
let everything: readonly string[]
let visited: ShownLink
let protectedLink: ShownLink
let guards: readonly string[]
let kept: unknown

beforeAll(async () => {
  linnet = await bootAll()
  await fill()
  everything = await offered()
  kept = await data()
})
afterAll(() => linnet.stop())

/** What the core has and a plugin declares too, such as the short code of a link. */
const ofTheCore = ['to see shortCode', 'to see originalUrl', 'to see domain']

/** Creates one of everything. */
async function fill(): Promise<void> {
  const made = async (path: string, body: object) =>
    (await linnet.api('POST', path, body)).body.data.id
  const tag = await made('/tags', { name: 'News' })
  const campaign = await made('/campaigns', { name: 'Spring' })
  await made('/domains', { host: 'links.example.com' })
  await made('/api-tokens', { name: 'CI', scopes: ['links:read'] })
  visited = await linnet.create({
    tagIds: [tag],
    campaignId: campaign,
    shortCode: 'spring',
    forwardQuery: true,
    utm: { source: 'letter' },
  })
  await linnet.visit(visited, { query: '?qr', headers: { 'user-agent': agents.firefoxOnLinux } })
  protectedLink = await linnet.create({ password: 'sesame', maxVisits: 3 })
  const rows = await linnet.db.selectFrom('links').select('guarded_by').execute()
  guards = rows.flatMap(row => JSON.parse(row.guarded_by) as string[])
}

/** All of it, as the API shows it. */
async function data(): Promise<unknown> {
  const paths = ['/links', '/tags', '/campaigns', '/domains', '/api-tokens', '/profile']
  const answers = []
  for (const path of paths) {
    const { status, body } = await linnet.api('GET', path)
    answers.push([path, status, body])
  }
  return { answers, counts: await linnet.counts(visited) }
}

/** What the OpenAPI document and the manifest list: routes, fields, filters, dimensions. */
async function offered(): Promise<readonly string[]> {
  const { paths } = await readDocument(linnet)
  const manifest: readonly { feature: string; dimensions: readonly { name: string }[] }[] = (
    await linnet.api('GET', '/plugins')
  ).body.data
  const create = paths['/api/v1/links']?.post
  const edit = paths['/api/v1/links/{id}']?.patch
  const list = paths['/api/v1/links']?.get
  const show = paths['/api/v1/links/{id}']?.get
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    ),
    ...namesIn(create && bodyOf(create)).map(name => `to create ${name}`),
    ...namesIn(edit && bodyOf(edit)).map(name => `to edit ${name}`),
    ...(list?.parameters ?? []).map(({ name }) => `to list by ${name}`),
    ...namesIn(show && shownBy(show)).map(name => `to see ${name}`),
    ...manifest.flatMap(({ feature, dimensions }) => [
      feature,
      ...dimensions.map(({ name }) => `to count ${name}`),
    ]),
  ]
}

function namesIn({ properties = {} }: Schema = {}): readonly string[] {
  return Object.keys(properties)
}

function shownBy({ responses }: Operation): Schema | undefined {
  return responses[200]?.content?.['application/json']?.schema?.properties?.data
}

/** The part of these that a plugin adds. */
function broughtBy(plugin: Plugin): readonly string[] {
  const {
    feature,
    fields = {},
    endpoints = {},
    dimensions = {},
    groups = {},
    computed,
    filter,
  } = plugin
  return [
    feature,
    ...Object.keys(endpoints).map(name =>
      name.replace(' ', ' /api/v1').replace(/:([^/]+)/g, '{$1}'),
    ),
    ...Object.entries(fields).flatMap(([name, { when, shown, stored }]) => [
      ...(when === 'edit' ? [] : [`to create ${toSnake(name)}`]),
      ...(when === 'create' ? [] : [`to edit ${toSnake(name)}`]),
      ...(shown && stored ? [`to see ${shown.name(name)}`] : []),
    ]),
    ...Object.keys(computed?.schema ?? {}).map(name => `to see ${name}`),
    ...Object.keys(filter?.query ?? {}).map(name => `to list by ${toSnake(name)}`),
    ...Object.keys(groups).map(path => `GET /api/v1${path}/{id}/analytics`),
    ...Object.keys(dimensions).map(name => `to count ${name}`),
  ]
}

/** A plugin, and all plugins that need it. */
function withDependants(plugin: Plugin): readonly Plugin[] {
  const dependants = plugins.filter(({ needs }) => needs?.includes(plugin.feature))
  return [plugin, ...dependants.flatMap(withDependants)]
}

describe.each(plugins.map((plugin, place) => [plugin.feature, plugin, place] as const))(
  'the plugin %s',
  (feature, plugin, place) => {
    const off = withDependants(plugin)
    const brought = off.flatMap(broughtBy).filter(it => !ofTheCore.includes(it))

    // In every run one of eight, and those that guard links.
    const isTried = isNight || place % 8 === 7 || plugin.guard !== undefined
    it.runIf(isTried)(
      'is nowhere in the API while it is off, and what it guards is shut',
      async () => {
        linnet = await linnet.restart(plugins.filter(it => !off.includes(it)))
        const left = await offered()
        expect(left.filter(it => brought.includes(it))).toEqual([])
        expect(everything).toEqual(expect.arrayContaining([...left]))
        if (guards.includes(feature)) expect((await linnet.visit(protectedLink)).status).toBe(503)
      },
    )

    // In every run so many are off one after the other until all are on again.
    it.runIf(isNight || place % 16 === 15)(
      'is back with its data when it is on again',
      async () => {
        linnet = await linnet.restart(plugins)
        expect(brought.filter(it => !everything.includes(it))).toEqual([])
        expect(await offered()).toEqual(everything)
        expect(await data()).toEqual(kept)
        expect((await linnet.visit(protectedLink)).status).toBe(403)
      },
    )
  },
)

it('the plugins that are switched off and on have guards among them', () => {
  expect(guards).toEqual(['link.linkExpiration', 'link.passwordProtection'])
})

import { resolve } from 'node:path'
import openapi, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin } from '../../core/plugin.ts'
import { boot, type Harness } from '../harness.ts'
import { plugins } from './whole-instance.ts'

const byTraffic = definePlugin({
  feature: 'test.visitsByTraffic',
  about: 'Count visits by what brought them.',
  dimensions: { visitsByTraffic: { label: 'Traffic', of: () => 'letter' } },
})

/** Programs whose types come from the document: the compiler finds nothing wrong in them. */
const right: Readonly<Record<string, string>> = {
  'reads the numbers of analytics, and its file as text': `
    const numbers = await api.GET('/api/v1/links/{id}/analytics', { params })
    if (numbers.data) {
      const { totals, previous, visitsByBrowser, visitsOverTime } = numbers.data.data
      const visits: number = totals.visits
      const visitors: number | undefined = totals.uniqueVisitors
      const since: number | null | undefined = previous?.change.visits
      const before: number | undefined = previous?.visitsOverTime?.[0]?.visits
      const browser: string | undefined = visitsByBrowser?.[0]?.value
      const start: string | undefined = visitsOverTime?.[0]?.start
      const mine: string | undefined = numbers.data.data.visitsByTraffic?.[0]?.label
    }
    const file = await api.GET('/api/v1/analytics.csv', { parseAs: 'text' })
    const text: string | undefined = file.data
    const qr = await api.GET('/api/v1/links/{id}/qr', { params, parseAs: 'blob' })
    const picture: Blob | undefined = qr.data`,
  'sends back what it read, with a change': `
    const link = (await api.GET('/api/v1/links/{id}', { params })).data?.data
    if (link) {
      const { title, notes, archived, expiresAt, maxVisits, utm } = link
      const [rule, ...rules] = link.dynamicRouting?.rules ?? []
      const dynamicRouting = rule && { rules: [{ ...rule, name: 'Changed' }, ...rules] }
      const routing = dynamicRouting ?? null
      const body = { title, notes, archived, expiresAt, maxVisits, utm, dynamicRouting: routing }
      await api.PATCH('/api/v1/links/{id}', { params, body })
      await api.PATCH('/api/v1/links/{id}', { params, body: { dynamic_routing: routing } })
    }
    const { data: campaign } = await api.GET('/api/v1/campaigns/{id}', { params })
    if (campaign) {
      const { name, color, startsAt, endsAt } = campaign.data
      await api.POST('/api/v1/campaigns', { body: { name, color, startsAt, endsAt } })
    }
    const { data: token } = await api.GET('/api/v1/api-tokens/{id}', { params })
    if (token) {
      const { name, scopes, expiresAt } = token.data
      await api.PATCH('/api/v1/api-tokens/{id}', { params, body: { name, scopes, expiresAt } })
    }
    const { data: plans } = await api.GET('/api/v1/admin/plans')
    const plan = plans?.data[0]
    if (plan) {
      const { limits, organization, analytics, extensions } = plan
      const body = { limits: { ...limits, maxLinksCreatedPerMonth: 5 }, organization, analytics, extensions }
      await api.PATCH('/api/v1/admin/plans/{slug}', { params: { path: { slug: 'pro' } }, body })
    }`,
  'sends back the conditions of routing rules as it read them': `
    const read = (await api.GET('/api/v1/links/{id}', { params })).data?.data
    if (read) {
      const { dynamicRouting } = read
      const link: components['schemas']['Link'] = read
      await api.PATCH('/api/v1/links/{id}', { params, body: { dynamicRouting } })
      await api.PATCH('/api/v1/links/{id}', { params, body: { dynamic_routing: dynamicRouting } })
      await api.PATCH('/api/v1/links/{id}', {
        params,
        body: { dynamicRouting: link.dynamicRouting },
      })
    }
    const original_url = 'https://example.com/'
    const conditions = [
      { type: 'device', operator: 'is', key: null, value: 'mobile' },
      { type: 'query_param', operator: 'exists', key: 'ref', value: null },
    ] as const
    const rules = [{ name: 'Phones', original_url, conditions: [...conditions] }]
    await api.POST('/api/v1/links', { body: { original_url, dynamic_routing: { rules } } })`,
  'may leave out what has a default': `
    const original_url = 'https://example.com/'
    const condition = { type: 'device', operator: 'is', value: 'mobile' } as const
    const rules = [
      { name: 'All', original_url },
      { name: 'Phones', original_url, conditions: [condition] },
    ]
    const body = { original_url, dynamic_routing: { rules }, utm: { source: 'letter' } }
    await api.POST('/api/v1/links', { body })
    const made = await api.GET('/api/v1/links/{id}', { params })
    const weight: number | null | undefined = made.data?.data.dynamicRouting?.rules[0]?.weight
    const source: string | null | undefined = made.data?.data.utm?.source`,
}

const create = (body: string) => `await api.POST('/api/v1/links', { body: ${body} })`

/** None of these files exists: the compiler gets their content directly, all at once, since it reads the types once then. */
const typesFile = resolve('test/api/made-types.ts')
const fileOf = (client: string) => resolve(`test/api/made-${clients.indexOf(client)}.ts`)
const clients = [
  ...Object.values(right),
  create(`{ original_url: 'https://example.com/' }`),
  create('{}'),
]

let linnet: Harness
let program: ts.Program

beforeAll(async () => {
  linnet = await boot([...plugins, byTraffic])
  const { body } = await linnet.api('GET', '/openapi.json')
  program = programOf(astToString(await openapi(body)))
})
afterAll(() => linnet.stop())

function programOf(types: string): ts.Program {
  const made = new Map(clients.map(client => [fileOf(client), sourceOf(client)]))
  made.set(typesFile, types)
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = name => made.has(name) || fileExists(name)
  host.readFile = name => made.get(name) ?? readFile(name)
  host.getSourceFile = (name, target, ...rest) => {
    const text = made.get(name)
    return text === undefined
      ? getSourceFile(name, target, ...rest)
      : ts.createSourceFile(name, text, target)
  }
  return ts.createProgram(clients.map(fileOf), options, host)
}

function sourceOf(client: string): string {
  return `
    import createClient from 'openapi-fetch'
    import type { components, paths } from './made-types.ts'
    const api = createClient<paths>({ baseUrl: 'https://go.example.org/' })
    const params = { path: { id: 'lnk_1' } }
    ${client}`
}

/** The compiler's messages about a client. */
function problemsOf(client: string): readonly string[] {
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(fileOf(client)))
    .map(
      ({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}

describe('a client that is made from the description', () => {
  it.each(Object.entries(right))('%s', (_, client) => {
    expect(problemsOf(client)).toEqual([])
  })

  it('must say what a request needs', () => {
    expect(problemsOf(create(`{ original_url: 'https://example.com/' }`))).toEqual([])
    expect(problemsOf(create('{}'))).toEqual([expect.stringContaining('original_url')])
  })
})

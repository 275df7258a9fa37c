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

let linnet: Harness
let types: string

beforeAll(async () => {
  linnet = await boot([...plugins, byTraffic])
  const { body } = await linnet.api('GET', '/openapi.json')
  types = astToString(await openapi(body))
})
afterAll(() => linnet.stop())

/** Neither file exists: the compiler gets their content directly. */
const typesFile = resolve('test/api/made-types.ts')
const clientFile = resolve('test/api/made-client.ts')

const libraries = new Map<string, ts.SourceFile | undefined>()

/** The compiler's messages about a client whose types come from the document. */
function compile(client: string): readonly string[] {
  const source = `
    import createClient from 'openapi-fetch'
    import type { components, paths } from './made-types.ts'
    const api = createClient<paths>({ baseUrl: 'https://go.example.org/' })
    const params = { path: { id: 'lnk_1' } }
    ${client}`
  const made = new Map([
    [typesFile, types],
    [clientFile, source],
  ])
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
    if (text !== undefined) return ts.createSourceFile(name, text, target)
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, target, ...rest))
    return libraries.get(name)
  }
  const program = ts.createProgram([clientFile], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}

describe('a client that is made from the description', () => {
  it('reads the numbers of analytics, and its file as text', () => {
    const problems = compile(`
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
      const picture: Blob | undefined = qr.data`)
    expect(problems).toEqual([])
  })

  it('sends back what it read, with a change', () => {
    const problems = compile(`
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
      }`)
    expect(problems).toEqual([])
  })

  it('sends back the conditions of routing rules as it read them', () => {
    const problems = compile(`
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
      await api.POST('/api/v1/links', { body: { original_url, dynamic_routing: { rules } } })`)
    expect(problems).toEqual([])
  })

  it('must say what a request needs', () => {
    const create = (body: string) => compile(`await api.POST('/api/v1/links', { body: ${body} })`)
    expect(create(`{ original_url: 'https://example.com/' }`)).toEqual([])
    expect(create('{}')).toEqual([expect.stringContaining('original_url')])
  })

  it('may leave out what has a default', () => {
    const problems = compile(`
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
      const source: string | null | undefined = made.data?.data.utm?.source`)
    expect(problems).toEqual([])
  })
})

import { beforeAll, expect, it } from 'vitest'
import { Linnet } from '../../../../client/linnet.ts'
import { operations as ofClient } from '../../../../client/operations.ts'
import { definePlugin, endpoint, z } from '../../../../core/plugin.ts'
import {
  groupsOf,
  type Operation,
} from '../../../../plugins/dashboard/web/pages/tokens/api/operations.ts'
import {
  codeOf,
  commandWords,
} from '../../../../plugins/dashboard/web/pages/tokens/api/ways-to-call.ts'
import { operationsOf } from '../../../../remote/description.ts'
import { plugins } from '../../../api/every-plugin.ts'
import { boot } from '../../../harness.ts'

/** What an admin has added, for which the client has no methods. */
const echoes = definePlugin({
  feature: 'test.echoes',
  about: 'Has endpoints in a test.',
  endpoints: {
    'GET /echoes': endpoint({
      summary: 'List echoes',
      scope: '*',
      answer: z.strictObject({ data: z.array(z.string()) }),
      handle: () => ({ data: [] }),
    }),
    'PATCH /echoes/:id': endpoint({
      summary: 'Change an echo',
      scope: '*',
      query: z.strictObject({ from: z.string(), loud: z.string().optional() }),
      body: z.strictObject({ words: z.string() }),
      answer: z.strictObject({ data: z.string() }),
      handle: () => ({ data: '' }),
    }),
  },
})

let operations: readonly Operation[]
let ofCommandLine: readonly string[]

beforeAll(async () => {
  const linnet = await boot([...plugins, echoes])
  const { body } = await linnet.api('GET', '/openapi.json')
  await linnet.stop()
  operations = groupsOf(body, '').flatMap(group => group.operations)
  ofCommandLine = operationsOf(body).map(({ words }) => words.join(' '))
})

const origin = 'https://go.example.org'

const codes = (id: string, parameters: Readonly<Record<string, string>>, body = '') => {
  const operation = operations.find(it => it.id === id)
  if (!operation) throw new Error(`There is no ${id}.`)
  const filled = { parameters, body, token: 'lnt_1' }
  const script = codeOf('JavaScript', operation, filled, origin).split('\n')
  return [...script.slice(2), codeOf('linnet', operation, filled, origin)]
}

it('calls each operation on the command line by its name there', () => {
  expect(operations.map(({ id }) => commandWords(id).join(' ')).sort()).toEqual(
    [...ofCommandLine].sort(),
  )
})

it('sends the same request by curl and by the client, with placeholders for all that it needs', async () => {
  const filled = { parameters: {}, body: '', token: 'lnt_1' }
  for (const operation of operations) {
    const command = codeOf('curl', operation, filled, origin)
    const [, method = 'GET', address] = /^curl(?: -X (\w+))? '(.*)'/.exec(command) ?? []
    const sent = await sentBy(codeOf('JavaScript', operation, filled, origin))
    expect(sent.map(decodeURIComponent)).toEqual([`${method} ${address}`])
    for (const { name } of operation.parameters.filter(it => it.required)) {
      expect(address).toContain(`<${name}>`)
    }
  }
})

it('calls the method that the client has for an operation, and `request` where it has none', () => {
  const names = operations.map(
    ({ id }) => /^await linnet\.([\w.]+)/.exec(codes(id, {})[1] ?? '')?.[1],
  )
  const others = operations.filter((_, index) => names[index] === 'request').map(({ id }) => id)
  expect(names.filter(name => name !== 'request').sort()).toEqual(Object.keys(ofClient).sort())
  expect(others.sort()).toEqual([
    'echoes.list',
    'echoes.update',
    'session.from',
    'session.leave',
    'session.with',
  ])
})

/** The requests that a script for the client sends. */
async function sentBy(script: string): Promise<readonly string[]> {
  const sent: string[] = []
  class Recorded extends Linnet {
    constructor(options: ConstructorParameters<typeof Linnet>[0]) {
      super({
        ...options,
        retries: 0,
        async fetch(url, init) {
          sent.push(`${init?.method} ${url}`)
          return new Response(null, { status: 204, headers: { 'X-Request-Id': 'req_1' } })
        },
      })
    }
  }
  const [, ...lines] = script.split('\n')
  const run = new Function('Linnet', 'file', `return (async () => {${lines.join('\n')}})()`)
  // An answer without content is not what most of them expect.
  await run(Recorded, new Blob(['a'])).catch(() => undefined)
  return sent
}

it('writes what was filled in as each of them takes it', () => {
  const start = "const linnet = new Linnet({ url: 'https://go.example.org', token: 'lnt_1' })"
  const env = 'LINNET_URL=https://go.example.org LINNET_TOKEN=lnt_1'
  const changed = { 'path id': "it's", 'header If-Match': '"1.2"', 'query dry_run': 'true' }
  expect(codes('links.update', changed, '{ "title": "New" }')).toEqual([
    start,
    `await linnet.links.update('it\\'s', { "title": "New" }, { ifMatch: '"1.2"', dryRun: true })`,
    `${env} linnet remote links edit 'it'\\''s' --dry-run --body '{ "title": "New" }'`,
  ])
  expect(codes('links.list', { 'query per_page': '5', 'query search': 'spring' })).toEqual([
    start,
    "await linnet.links.list({ per_page: 5, search: 'spring' })",
    `${env} linnet remote links list --per-page '5' --search 'spring'`,
  ])
  expect(codes('links.lookup', { 'query short_code': 'spring' })).toEqual([
    start,
    "await linnet.links.lookup({ short_code: 'spring' })",
    `${env} linnet remote links lookup 'spring'`,
  ])
  expect(codes('links.lookup', {}).slice(1)).toEqual([
    "await linnet.links.lookup({ short_code: '<short_code>' })",
    `${env} linnet remote links lookup '<short_code>'`,
  ])
  expect(codes('links.shortCodes', {}).slice(1)).toEqual([
    "await linnet.links.shortCodes({ short_codes: '<short_codes>' })",
    `${env} linnet remote links short-codes '<short_codes>'`,
  ])
  expect(codes('links.destroy', {}).slice(1)).toEqual([
    "await linnet.links.delete('<id>')",
    `${env} linnet remote links delete '<id>'`,
  ])
  expect(codes('imports.file.replace', { 'path id': 'imp_1' })[1]).toBe(
    "await linnet.imports.file.replace('imp_1', file)",
  )
  expect(codes('echoes.list', {})[1]).toBe("await linnet.request('GET /echoes')")
  const loud = { 'path id': '7', 'query loud': 'yes', 'header Idempotency-Key': 'k' }
  expect(codes('echoes.update', loud, '{ "words": "Hello" }').slice(1)).toEqual([
    `await linnet.request('PATCH /echoes/{id}', { path: { id: '7' }, query: { from: '<from>', loud: 'yes' }, body: { "words": "Hello" }, idempotencyKey: 'k' })`,
    `${env} linnet remote echoes edit '7' '<from>' --loud 'yes' --idempotency-key 'k' --body '{ "words": "Hello" }'`,
  ])
})

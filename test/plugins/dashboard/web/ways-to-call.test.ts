import { beforeAll, expect, it } from 'vitest'
import { operations as ofClient } from '../../../../client/operations.ts'
import {
  groupsOf,
  type Operation,
} from '../../../../plugins/dashboard/web/pages/tokens/api/operations.ts'
import {
  codeOf,
  commandWords,
  methodOf,
} from '../../../../plugins/dashboard/web/pages/tokens/api/ways-to-call.ts'
import { operationsOf } from '../../../../remote/description.ts'
import { bootAll } from '../../../api/whole-instance.ts'

let operations: readonly Operation[]
let ofCommandLine: readonly string[]

beforeAll(async () => {
  const linnet = await bootAll()
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

it('calls each operation by the name that it has in the client and on the command line', () => {
  const led = operations.filter(({ answers }) => answers.some(({ status }) => status === '303'))
  const called = operations.filter(it => !led.includes(it))
  expect(called.map(({ id }) => methodOf(id)).sort()).toEqual(Object.keys(ofClient).sort())
  expect(operations.map(({ id }) => commandWords(id).join(' ')).sort()).toEqual(
    [...ofCommandLine].sort(),
  )
})

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
  expect(codes('links.destroy', {}).slice(1)).toEqual([
    "await linnet.links.delete('<id>')",
    `${env} linnet remote links delete '<id>'`,
  ])
  expect(codes('imports.file.replace', { 'path id': 'imp_1' })[1]).toBe(
    "await linnet.imports.file.replace('imp_1', file)",
  )
})

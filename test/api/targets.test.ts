import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { definePlugin } from '../../core/plugin.ts'
import { boot, type Harness } from '../harness.ts'

let linnet: Harness
let port: number

/** Serves the host of an account, as custom domains do. */
const hosts = definePlugin({
  feature: 'test.hosts',
  about: 'Has a host in a test.',
  unstable: {
    hosts: () => [{ name: 'links.example.com', accountId: 1, rootUrl: null, notFoundUrl: null }],
  },
})

beforeAll(async () => {
  linnet = await boot(['link.customShortCode', 'link.codeRules', 'analytics.visitsTracking', hosts])
  port = await linnet.app.server.listen(0, '127.0.0.1')
  await linnet.create({ short_code: 'spring', original_url: undefined })
  await linnet.create({ short_code: 'theirs', originalUrl: 'https://example.com/theirs' })
  const domain = 'links.example.com'
  await linnet.db.updateTable('links').set({ domain }).where('short_code', '=', 'theirs').execute()
  await linnet.db.updateTable('short_codes').set({ domain }).where('code', '=', 'theirs').execute()
})
afterAll(() => linnet.stop())

/** The status and the location of the answer. */
function ask(target: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    socket.on('data', data => {
      answer += data
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [status] = /\d{3}/.exec(answer.slice('HTTP/1.1 '.length)) ?? []
      const location = /\r\nLocation: (\S+)/.exec(answer)?.[1]
      resolve(location === undefined ? `${status}` : `${status} ${location}`)
    })
  })
}

const own = 'go.example.org'
const custom = 'links.example.com'

it.each([
  ['/spring', own, '302 https://example.com/'],
  ['/spring/', own, '302 https://example.com/'],
  ['/spring/?utm_source=x', own, '302 https://example.com/'],
  ['/%73prin%67', own, '302 https://example.com/'],
  ['/%73pring/', own, '302 https://example.com/'],
  ['/spring//', own, '404'],
  ['/spring%2F', own, '404'],
  ['/%2573pring', own, '404'],
  [`http://${own}/spring`, own, '302 https://example.com/'],
  [`https://${own}/spring/`, custom, '302 https://example.com/'],
  [`http://${custom}/theirs`, own, '302 https://example.com/theirs'],
  [`http://${custom}/spring`, own, '404'],
  [`http://${own}/theirs`, custom, '404'],
  [`http://${custom}/api/v1/session`, own, '404'],
  [`http://${own}/api/v1/session`, custom, '200'],
  [`http://${custom}@${own}/theirs`, own, '400'],
])('GET %s with Host: %s is %s', async (target, host, expected) => {
  expect(await ask(target, host)).toBe(expected)
})

it('visits of a link are counted however its code is written', async () => {
  const link = await linnet.create({ short_code: 'summer' })
  for (const path of ['summer', 'summer/', '%73ummer']) {
    expect((await linnet.visit(path)).status).toBe(302)
  }
  const { body } = await linnet.api('GET', `/links/${link.id}`)
  expect(body.data.visits.total).toBe(3)
})

it('leads a path to the code that it stands for, escaped or not, and never fails', async () => {
  await linnet.api('POST', '/code-rules', { grammar: 'wide' })
  await linnet.create({ short_code: 'été/🍪' })
  const path = encodeURI('été/🍪')
  for (const target of [path, path.toLowerCase(), `${path}/`, encodeURI('e\u0301te\u0301/🍪')])
    expect([target, await ask(`/${target}`, own)]).toEqual([target, '302 https://example.com/'])
  for (const target of ['%', '%C3', '%C0%AF', '%ED%A0%80', '%C3%A9t%C3%A9%2F%F0%9F%8D%AA', '%00'])
    expect([target, await ask(`/${target}`, own)]).toEqual([target, '404'])
  await linnet.api('POST', '/code-rules', { host: custom, grammar: 'wide', codes: 'any_case' })
  expect(await ask('/THEIRS', custom)).toBe('302 https://example.com/theirs')
  expect(await ask('/SPRING', own)).toBe('404')
})

import { describe, expect, it } from 'vitest'
import { Linnet, LinnetError } from '../../client/linnet.ts'
import { oneOf } from '../at-night.ts'
import { hostileAnswers, hostileServer } from './hostile-answers.ts'
import { description } from './small-description.ts'
import { elsewhere, emptyHome } from './terminal.ts'

const answers = Object.entries(hostileAnswers).map(
  ([name, { ends }], place) => [name, { ends: [ends].flat(), place }] as const,
)

const slow = ['more JSON than there can be', 'a bomb', 'no end of headers']

describe.each(answers)('%s instead of an answer', (name, { ends, place }) => {
  it(`is a ${ends.join(' or ')} of the client`, async () => {
    const url = `${await hostileServer()}/${place}`
    // What never comes whole is not waited for; all others come, however slow the machine.
    const timeoutMs = ends.includes('TimeoutError') ? 100 : 10_000
    const linnet = new Linnet({ url, token: 'lnt_1', retries: 0, timeoutMs })
    const calls = {
      object: () => linnet.profile.get(),
      page: () => linnet.links.list(),
      pages: () => Array.fromAsync(linnet.links.list()),
      list: () => linnet.admin.domains.list(),
      nothing: () => linnet.links.delete('lnk_1'),
      request: () => linnet.request('GET /profile'),
    }
    // What is large takes long, and is the same to all.
    const asked = slow.includes(name) ? [calls.object] : oneOf(Object.values(calls), place)
    for (const call of asked) {
      const error: unknown = await Promise.resolve(call()).catch((it: unknown) => it)
      expect(error).toBeInstanceOf(LinnetError)
      const { name: kind, message } = error as LinnetError
      expect(ends, message).toContain(kind)
      expect(message).toMatch(/^\w.* .*/)
    }
  })
})

/** Those that are not tried again in the hope of another. */
const final = answers.filter(
  ([name, { ends }]) =>
    ends.includes('UnexpectedAnswerError') &&
    !ends.includes('ConnectionError') &&
    !/proxy|a wait|is no time/.test(name) &&
    !slow.includes(name),
)

const says = / is not Linnet|but not as Linnet does|leads on to http/

it.each(final)('says that %s is no answer, to a login and to a command', async (_, { place }) => {
  const url = await hostileServer(place)
  const login = await elsewhere(['login', url], { env: emptyHome(), stdin: 'lnt_1\n' })
  expect(login).toMatchObject({ code: 69, stdout: '' })
  expect(login.stderr).toMatch(says)

  const LINNET_URL = await hostileServer(place, description)
  const env = { ...emptyHome(), LINNET_URL, LINNET_TOKEN: 'lnt_1' }
  const commands = ['links list', 'links create https://example.com/', 'open x --print']
  for (const words of oneOf(commands, place)) {
    const said = await elsewhere(words, { env })
    expect(said, words).toMatchObject({ code: 69, stdout: '' })
    expect(said.stderr).toMatch(says)
  }
})

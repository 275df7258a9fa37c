import { once } from 'node:events'
import { isNativeError } from 'node:util/types'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../core/http/server/log.ts'
import { createFindBlamedPlugin, isFrom } from '../../../core/kernel/contain/blamed-plugin.ts'
import { createContainment } from '../../../core/kernel/contain/contain.ts'
import { caught, plainError } from '../../../core/lib/caught.ts'
import { messageForPeople, stackOf } from '../../../core/lib/message-for-people.ts'
import { isDamage } from '../../../core/storage/files/damage.ts'
import { isOutOfReach, ServerAway } from '../../../core/storage/files/out-of-reach.ts'

const failing = () => {
  throw new Error('in a getter')
}

function withGetter(part: string): Error {
  return Object.defineProperty(new Error('boom'), part, { get: failing, enumerable: true })
}

function ownCause(): Error {
  const error = new AggregateError([], 'boom')
  error.errors.push(error)
  return Object.assign(error, { cause: error })
}

/** What a plugin may throw by mistake, or by a package that it uses. */
const odd: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['a symbol', Symbol('boom')],
  ['an object', {}],
  ['an object without a prototype', Object.create(null)],
  ['a function', failing],
  ['a proxy', new Proxy(new Error('boom'), { get: failing, getPrototypeOf: failing })],
  ['an error that is its own cause', ownCause()],
  ['an error that is frozen', Object.freeze(new Error('boom'))],
  ['an error with a stack that is a number', Object.assign(new Error('boom'), { stack: 5 })],
  ['an error with a message that is an object', Object.assign(new Error(), { message: {} })],
  ['an error with a code that is no text', Object.assign(new Error('boom'), { code: Symbol('x') })],
  [
    'an error with a cause that cannot be read',
    Object.assign(new Error('boom'), { cause: withGetter('message') }),
  ],
  ...['name', 'message', 'stack', 'code', 'cause', 'errors', 'more'].map(
    part => [`an error whose ${part} cannot be read`, withGetter(part)] as const,
  ),
]

describe.each(odd)('when a plugin throws %s', (_, thrown) => {
  it('a thread has failed with the error itself, and its code', async () => {
    const thrown = "throw Object.assign(new TypeError('The disk is full.'), { code: 'ENOSPC' })"
    const [error] = await once(new Worker(thrown, { eval: true }), 'error').catch(it => [it])
    expect(caught(error)).toBe(error)
    expect(caught(error)).toMatchObject({ message: 'The disk is full.', code: 'ENOSPC' })
  })

  it('it is an error with a message and a stack', () => {
    for (const error of [caught(thrown), plainError(thrown)]) {
      expect(isNativeError(error)).toBe(true)
      expect([typeof error.message, typeof error.stack]).toEqual(['string', 'string'])
    }
    expect(structuredClone(plainError(thrown)).message).toBe(plainError(thrown).message)
  })

  it('it can be told, logged and laid to somebody', () => {
    const lines: string[] = []
    createLog('info', { write: line => lines.push(line) }).error('It failed', { error: thrown })
    expect(JSON.parse(`${lines}`)).toMatchObject({
      message: 'It failed',
      error: { message: expect.any(String) },
    })
    expect(messageForPeople(thrown)).toEqual(expect.any(String))
    expect(createFindBlamedPlugin({})(thrown)).toBeUndefined()
    expect([isDamage(thrown), isOutOfReach(thrown)]).toEqual([false, false])
  })

  it('its hook has failed, and is named', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: line => lines.push(line) })
    const contain = createContainment(log)
    const works = [failingWith(thrown), async () => failingWith(thrown)()]
    for (const work of works) {
      expect(await contain.run('a.odd', 'guard', work)).toEqual({ ok: false })
    }
    expect(contain.health()).toMatchObject({ 'a.odd guard': { failures: 2 } })
    expect(lines).toHaveLength(2)
    expect(JSON.parse(`${lines[0]}`).message).toMatch(/^a\.odd guard failed: ./)
  })
})

it('something that is no error has no frames of ours, so it does not count as our own', () => {
  for (const thrown of [undefined, null, 'a text', {}]) {
    expect(isFrom(plainError(thrown), import.meta.dirname)).toBe(false)
  }
  expect(caught(null).message).toBe('it threw null, which is no error')
  expect(caught({}).message).toBe('it threw an object, which is no error')
  expect(caught('a text').message).toBe('a text')
})

it('an error that can be read stays the same', () => {
  const away = new ServerAway('gone', { cause: new Error('socket') })
  expect(caught(away)).toBe(away)
  expect(isOutOfReach(new Error('query', { cause: away }))).toBe(true)
})

it('a copied error is short', () => {
  expect(plainError(new Error('x'.repeat(1_000_000))).message.length).toBeLessThan(11_000)
})

describe('while a dependency makes stacks lists of call sites', () => {
  const { prepareStackTrace } = Error
  afterEach(() => {
    Error.prepareStackTrace = prepareStackTrace
  })

  it('the stacks are texts again, and the place is found', () => {
    Error.prepareStackTrace = (_, sites) => sites
    const error = new TypeError('boom')
    expect(caught(error)).toBe(error)
    expect(stackOf(error)).toMatch(/^TypeError: boom\n {4}at .*caught\.test\.ts:\d+:\d+/)
    expect(messageForPeople(new TypeError('boom'))).toMatch(/^TypeError at caught\.test\.ts:\d+$/)
    expect(isFrom(new Error('boom'), import.meta.dirname)).toBe(true)
  })
})

function failingWith(thrown: unknown): () => never {
  return () => {
    throw thrown
  }
}

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { messageForPeople, reasonOf, sentenceOfFile } from '../../../core/lib/message-for-people.ts'
import { UserError } from '../../../core/lib/user-error.ts'

const nothing = JSON.parse('{}')

it.each<[string, () => unknown]>([
  ['a TypeError', () => nothing.at.all],
  ['a SyntaxError', () => JSON.parse('{')],
  ['a RangeError', () => Buffer.alloc(2).readUInt32BE(4)],
  ['an error of zlib', () => gunzipSync(Buffer.from('no archive'))],
  ['an error of zod', () => z.object({ a: z.int() }).parse({ a: 'b' })],
])('%s is told by its kind and place, without the words of Node', (_, fail) => {
  const error = thrownBy(fail)
  const said = messageForPeople(error)
  expect(said).toMatch(/^[A-Za-z$]*Error (at [\w.-]+\.[cm]?[jt]s:\d+|in the code)$/)
  expect(said).not.toContain(error.message)
})

it('an error in code is told by its file and line, without the mark of the version', () => {
  const error = new TypeError('x')
  error.stack =
    'TypeError: x\n    at of (file:///data/plugins/hours/dist/index.js?linnet=3f2a:12:9)'
  expect(messageForPeople(error)).toBe('TypeError at index.js:12')
  error.stack =
    'TypeError: x\n    at save (/app/dist/chunk-AB12CD34.js:9:9999)\n    at of (/data/plugins/hours.js:12:9)'
  expect(messageForPeople(error)).toBe('TypeError at hours.js:12')
  error.stack = 'TypeError: see a.js:7'
  expect(messageForPeople(error)).toBe('TypeError in the code')
})

it.each<[string, unknown, string]>([
  ['an error for the user', new UserError('Choose another name.'), 'Choose another name.'],
  ['an error of a plugin', new Error('The key is not valid'), 'The key is not valid'],
  [
    'an error of the system',
    thrownBy(() => readFileSync('/nowhere')),
    "ENOENT: no such file or directory, open '/nowhere'",
  ],
  ['a text that was thrown', 'Too late', 'Too late'],
])('%s is told as it is', (_, error, said) => {
  expect(messageForPeople(error)).toBe(said)
})

it('the reason why the system refused something does not repeat what was refused', async () => {
  const first = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void first.close())
  await once(first, 'listening')
  const error = await once(createServer().listen(first.address()), 'listening').catch(it => it)
  expect(error.message).toMatch(/^listen EADDRINUSE: address already in use \S+$/)
  expect(reasonOf(error)).toBe('address already in use (EADDRINUSE)')
  const missing = await readFile('/nowhere').catch(it => it)
  expect(missing.message).toContain("open '/nowhere'")
  expect(reasonOf(missing)).toBe('no such file or directory (ENOENT)')
})

it('the reason of any other error is its message', () => {
  expect(reasonOf(new Error('the moon is full'))).toBe('the moon is full')
})

function thrownBy(fail: () => unknown): Error {
  try {
    fail()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}

it('a disk that became full while a file was written is told of in a sentence, too', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    ...{ code: 'ENOSPC', syscall: 'write' },
  })
  expect(sentenceOfFile(full)).toBe('This cannot be done: ENOSPC: no space left on device, write')
  expect(
    sentenceOfFile(Object.assign(new Error('refused'), { syscall: 'connect' })),
  ).toBeUndefined()
})

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { reasonOf } from '../../../../core/lib/text/reason-of.ts'

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

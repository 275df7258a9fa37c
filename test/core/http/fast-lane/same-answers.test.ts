import { expect, it } from 'vitest'
import { expectSameAnswers } from './same-answers.ts'

it('whatever is sent, the fast lane answers as node:http does, byte for byte', async () => {
  expect(await expectSameAnswers({ numRuns: 250, seed: 20261122 })).toBeGreaterThan(100)
})

import { expect, it } from 'vitest'
import { isNight } from '../../../at-night.ts'
import { expectSameAnswers } from './same-answers.ts'

it('whatever is sent, the fast lane answers as node:http does, byte for byte', async () => {
  const numRuns = isNight ? 250 : 100
  expect(await expectSameAnswers({ numRuns, seed: 20261122 })).toBeGreaterThan(numRuns / 2.5)
})

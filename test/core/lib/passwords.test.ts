import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  fullCost,
  hashCheaply,
  hashPassword,
  matchesPassword,
} from '../../../core/lib/passwords.ts'

beforeAll(() => hashCheaply(fullCost))
afterAll(() => hashCheaply())

it('passwords are hashed at a cost that OWASP recommends for scrypt, each with a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('correct'), hashPassword('correct')])
  expect(one).toMatch(/^scrypt:8192:8:10:[\w-]{22}:[\w-]{43}$/)
  expect(other).not.toBe(one)
  expect(await matchesPassword('correct', one)).toBe(true)
})

it('passwords hashed at an earlier, lower cost still open', async () => {
  hashCheaply()
  const early = await hashPassword('correct')
  hashCheaply(fullCost)
  expect(await matchesPassword('correct', early)).toBe(true)
  expect(await matchesPassword('wrong', early)).toBe(false)
})

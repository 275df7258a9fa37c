import { inject } from 'light-my-request'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashCheaply, hashPassword } from '../../core/lib/passwords.ts'
import passwordProtection from '../../plugins/link/password-protection.ts'
import { isNight } from '../at-night.ts'
import { boot, type Harness } from '../harness.ts'
import { addAccount } from './accounts/fixtures.ts'

let linnet: Harness
// A flood takes work that takes its time: a sixth of the usual does, and the machine may be busy.
beforeAll(() => hashCheaply({ N: 2 ** 14, r: 8, p: 1 }))
afterAll(() => hashCheaply())
afterEach(() => linnet.stop())

describe('a flood of guesses', () => {
  it('is told to come back, and is no fault of the plugin', async () => {
    linnet = await boot(passwordProtection)
    const link = await linnet.create({ password: 'open sesame' })
    const guess = (number: number) =>
      linnet.visit(link, { ip: `203.0.113.${number}`, answers: { password: 'a guess' } })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index)))
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers } of refused) expect(headers['retry-after']).toBe('2')
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThan(0)

    const through = await linnet.visit(link, {
      ip: '192.0.2.1',
      answers: { password: 'open sesame' },
    })
    expect(through.location).toBe('https://example.com/')
    expect(new Set(linnet.log)).toEqual(new Set(['A wrong guess']))
  })

  it('at the sign-in is told so too', async () => {
    linnet = await boot([])
    const tries = Array.from({ length: 60 }, (_, index) =>
      linnet.api('POST', '/session', { email: `person${index}@example.org`, password: 'a guess' }),
    )
    const answers = await Promise.all(tries)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) {
      expect([headers['retry-after'], body.code]).toEqual(['2', 'unavailable'])
    }
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(0)
  })
})

describe('twenty addresses that go on guessing', () => {
  beforeAll(() => hashCheaply())

  it.each([
    ['one of ours', undefined],
    ['one of bcrypt', '$2b$06$uXFPARErridCJhORa8TDAOPWZdejvA9kAHa3aWpL0orCBvheRKXhS'],
  ])('keep nobody from signing in, nor from a link, whose hash is %s', async (_, hash) => {
    linnet = await boot(passwordProtection)
    const link = await linnet.create({ password: 'open sesame' })
    if (hash) {
      const fields = JSON.stringify({ 'link.passwordProtection': { password: hash } })
      await linnet.db.updateTable('links').set({ fields }).execute()
      linnet.app.cache.forgetAll()
    }
    const right = { email: 'grace@example.org', password: 'analytical engine' }
    const passwordHash = await hashPassword(right.password)
    await addAccount(linnet.db, { email: right.email, passwordHash })
    const signIn = async (payload: object, remoteAddress: string) => {
      const request = { method: 'POST', url: '/api/v1/session', payload, remoteAddress } as const
      return (await inject(linnet.app.server.handle, request)).statusCode
    }
    const follow = async (password: string, ip: string) =>
      (await linnet.visit(link, { ip, answers: { password } })).status
    const guesses = () =>
      Array.from({ length: 20 }, (_, index) => `203.0.113.${index}`).flatMap(ip => [
        signIn({ email: `${ip}@example.org`, password: 'a guess' }, ip),
        follow('a guess', ip),
      ])
    // Who was told to come back has guessed nothing wrong yet, and goes before whoever comes for the first time.
    while ((await Promise.all(guesses())).includes(503));

    for (let round = 1; round <= (isNight ? 7 : 3); round++) {
      const flood = guesses()
      // Two people: what one asks beside a guess of their own goes behind those of all others.
      const answers = Promise.all([
        signIn(right, `192.0.2.${round}`),
        follow('open sesame', `198.51.100.${round}`),
      ])
      expect(await answers).toEqual([201, 303])
      await Promise.all(flood)
    }
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Draft, definePlugin } from '../../../../core/plugin.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../../harness.ts'

let attempts: number[]
let codes: (attempt: number) => string

/** A code generator with few words. */
const generator = definePlugin({
  feature: 'acme.words',
  about: 'Make up short codes in a test.',
  needs: ['link.customShortCode'],
  prepare({ kind, shortCode, attempt }: Draft) {
    if (kind === 'edit' || shortCode !== undefined) return
    attempts.push(attempt)
    return { shortCode: codes(attempt) }
  },
})

let linnet: Harness
beforeEach(async () => {
  linnet = await boot([customShortCode, generator])
  attempts = []
  codes = attempt => `word${attempt}`
})
afterEach(() => linnet.stop())

describe('a plugin that makes up short codes', () => {
  it('is asked again while its code is taken', async () => {
    const made = [await linnet.create(), await linnet.create(), await linnet.create()]
    expect(made.map(({ shortCode }) => shortCode)).toEqual(['word0', 'word1', 'word2'])
    expect(attempts).toEqual([0, 0, 1, 0, 1, 2])
  })

  it('is asked again while its code is reserved', async () => {
    codes = attempt => ['api', 'dashboard', 'free'][attempt] ?? ''
    expect((await linnet.create()).shortCode).toBe('free')
  })

  it('is asked eight times at most, and then the link gets a random code', async () => {
    codes = () => 'same'
    await linnet.create()
    attempts = []
    const { shortCode } = await linnet.create()
    expect(shortCode).toMatch(/^\w{7}$/)
    expect(attempts).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect((await linnet.visit(shortCode)).status).toBe(302)
  })

  it('refuses no link of ninety that are made at once, when it knows 70 codes', async () => {
    let turn = 0
    codes = () => `word${(turn++ * 37) % 70}`
    const made = await Promise.all(Array.from({ length: 90 }, () => linnet.create()))
    expect(new Set(made.map(({ shortCode }) => shortCode)).size).toBe(90)
  })

  it('is asked for each link that is made at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => linnet.create()))
    expect(made.map(({ shortCode }) => shortCode).sort()).toEqual(
      Array.from({ length: 6 }, (_, index) => `word${index}`),
    )
  })

  it('does not change a code that somebody chose', async () => {
    await linnet.create({ shortCode: 'mine' })
    const { status, body } = await linnet.api('POST', '/links', {
      original_url: 'https://example.com/',
      short_code: 'mine',
    })
    expect([status, body.errors]).toEqual([
      409,
      [
        {
          field: 'short_code',
          code: 'short_code_taken',
          message: 'The short code mine is taken.',
        },
      ],
    ])
    // What else is wrong is found by a trial without that code.
    expect(attempts).toEqual([0])
    expect((await linnet.api('GET', '/links')).body.data).toHaveLength(1)
  })
})

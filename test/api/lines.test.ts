import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness

beforeAll(async () => {
  linnet = await bootAll()
})
afterAll(() => linnet.stop())

let campaigns = 0

/** Every place where people name something, with the field of the answer that shows it. */
const places = [
  ['POST', '/links', 'title', () => ({ original_url: 'https://example.com/' })],
  ['POST', '/links', 'notes', () => ({ original_url: 'https://example.com/' })],
  ['PATCH', '/profile', 'fullName', () => ({})],
  ['POST', '/tags', 'name', () => ({})],
  ['POST', '/campaigns', 'name', () => ({})],
  ['POST', '/campaigns', 'description', () => ({ name: `Spring ${++campaigns}` })],
  ['POST', '/api-tokens', 'name', () => ({ scopes: ['links:read'] })],
  ['PATCH', '/admin/brand', 'name', () => ({})],
] as const

const send = (method: string, path: string, body: object) => linnet.api(method, path, body)

describe.each(places)('what people write in %s %s %s', (method, path, field, rest) => {
  it.each([
    ['half of a surrogate pair', 'half \ud800'],
    ['the character zero', 'zero\u0000'],
    ['an escape', '\u001b[31mred'],
    ['a control character of Latin-1', 'next\u0085line'],
    ['an invisible space', 'Red\u200b'],
    ['a mark that turns the direction', 'invoice\u202Efdp.exe'],
    ['a mark of the direction of Arabic letters', 'a\u061cb'],
    ['a mark that isolates a direction', 'a\u2066b'],
    ['nothing but a filler of Hangul', '\u3164'],
    ['nothing but other fillers', '\u115f\u1160 \uffa0'],
    ['nothing but an empty pattern of Braille', '\u2800'],
    ['nothing but joiners', '\u200d\u200c\ufe0f'],
  ])('has not %s', async (_, text) => {
    const { status, body } = await send(method, path, { ...rest(), [field]: text })
    expect([status, body.errors?.[0]?.field]).toEqual([422, field])
  })

  it.each([
    ['emoji made of several', '👩‍💻 team ❤️'],
    ['right to left', 'מבצע אביב\u200f'],
    ['Persian with a joiner', 'می‌خواهم'],
    ['one letter that is private', '\uf8ff'],
    ['Hangul with a filler', '\u115f\u1161'],
  ])('has %s, as written', async (_, text) => {
    const { status, body } = await send(method, path, { ...rest(), [field]: text })
    expect([status < 300, body.data?.[field]]).toEqual([true, text])
  })
})

describe('what people write', () => {
  it('is kept in one form, however it was typed', async () => {
    const { body } = await send('PATCH', '/profile', { fullName: ' Zoe\u0308 ' })
    expect(body.data.fullName).toBe('Zo\u00eb')
  })

  it('has several lines in notes and descriptions alone', async () => {
    const text = 'first\r\n\tsecond\nthird'
    const link = { original_url: 'https://example.com/' }
    expect((await send('POST', '/links', { ...link, notes: text })).body.data.notes).toBe(text)
    expect((await send('POST', '/links', { ...link, title: text })).status).toBe(422)
    const campaign = await send('POST', '/campaigns', { name: 'Lines', description: text })
    expect(campaign.body.data.description).toBe(text)
  })

  it('names another tag or campaign only when people can see that', async () => {
    for (const path of ['/tags', '/campaigns']) {
      expect((await send('POST', path, { name: 'Love ❤' })).status).toBe(201)
      for (const name of ['love ❤\ufe0f', 'LOVE\u200d ❤']) {
        expect((await send('POST', path, { name })).body.code, name).toBe('name_taken')
      }
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harness, VisitOptions } from '../harness.ts'
import { pageLanguages } from '../inside.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness

beforeAll(async () => {
  linnet = await bootAll()
})
afterAll(() => linnet.stop())

interface Case {
  readonly link?: () => Promise<Readonly<Record<string, unknown>>>
  readonly visit?: VisitOptions
  readonly suffix?: string
}

const fields = (given: object) => async () => ({ ...given })
const dates = { startsAt: '2026-11-21T13:00:00Z', expiresAt: '2026-11-19T13:00:00Z' }
const book = { method: 'POST', answers: { password: 'a'.repeat(20_000) } } as const
const wrong = { method: 'POST', answers: { password: 'wrong' } } as const

/** Every page of a link that does not redirect, and the page for an unknown link. */
const cases: Readonly<Record<string, Case>> = {
  'no link': {},
  'a password asked for': { link: fields({ password: 'sesame' }) },
  'a wrong password': { link: fields({ password: 'sesame' }), visit: wrong },
  'a password as long as a book': { link: fields({ password: 'sesame' }), visit: book },
  'too early': { link: fields({ startsAt: dates.startsAt }) },
  expired: { link: fields({ expiresAt: dates.expiresAt }) },
  'the limit reached': { link: fields({ maxVisits: 1 }) },
  'a preview': { link: fields({}), suffix: '+' },
  'no preview': { link: fields({ maxVisits: 9 }), suffix: '+' },
  'another method': { link: fields({}), visit: { method: 'POST' } },
}

async function shown(it: Case, language: string | undefined, accept = 'text/html') {
  const link = it.link ? await linnet.create(await it.link()) : { shortCode: 'nothing' }
  if (it.link && 'maxVisits' in (await it.link()) && !it.suffix) await linnet.visit(link.shortCode)
  const headers = { accept, ...(language !== undefined && { 'accept-language': language }) }
  const page = await linnet.visit(link.shortCode + (it.suffix ?? ''), { ...it.visit, headers })
  return {
    ...page,
    text: page.text
      .replaceAll(link.shortCode, 'CODE')
      .replace(/name="pass" value="[^"]*"/, '')
      .replace(/<style>[\s\S]*<\/style>/, ''),
  }
}

/** The text of a page, without its frame. */
const sentences = (html: string) =>
  html
    .replace(/^[\s\S]*<body>/, '')
    .replace(/<svg[\s\S]*<\/svg>/, '')
    .split(/<[^>]*>/)
    .map(text => text.trim())
    .filter(text => /\p{L}/u.test(text) && !/^https?:/.test(text))

describe.each(Object.entries(cases))('the page of %s', (_, it_) => {
  it('says everything in each language, and which that is', async () => {
    const english = sentences((await shown(it_, undefined)).text)
    expect(english.length).toBeGreaterThan(1)
    for (const language of pageLanguages) {
      const { text, headers } = await shown(it_, `${language}-XX, ja;q=0.5`)
      expect(text).toContain(`<html lang="${language}">`)
      expect(text).not.toContain('<span lang="en">')
      expect(headers.vary).toBe('Accept, Accept-Language')
      expect(headers['cache-control']).toBe('private, no-store')
      const said = sentences(text)
      if (language === 'en') expect(said).toEqual(english)
      else expect(said.filter(sentence => english.includes(sentence))).toEqual([])
    }
  })

  it('is in English for programs and for who reads none of these languages', async () => {
    expect((await shown(it_, 'ja')).text).toContain('<html lang="en">')
    const ask = async (language: string) => {
      const { text } = await shown(it_, language, 'application/json')
      const said = text.replace(/"requestId":"[^"]*"/, '')
      expect(JSON.parse(text)).toBeTypeOf('object')
      return said
    }
    expect(await ask('de')).toBe(await ask('en'))
  })
})

describe('a link that opens later', () => {
  it.each([
    ['en', 'This link opens on 21 November 2026 at 13:00 UTC.'],
    ['de', 'Dieser Link ist ab dem 21. November 2026 um 13:00 UTC erreichbar.'],
    ['fr', 'Ce lien s’ouvrira le 21 novembre 2026 à 13:00 UTC.'],
    ['es', 'Este enlace se abrirá el 21 de noviembre de 2026 a las 13:00 UTC.'],
  ])('says in %s when: %s', async (language, sentence) => {
    const { text } = await shown({ link: fields({ startsAt: dates.startsAt }) }, language)
    expect(text).toContain(`<p>${sentence}</p>`)
  })
})

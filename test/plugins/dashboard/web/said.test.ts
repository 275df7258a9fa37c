import { afterAll, expect, it, vi } from 'vitest'
import { serverTexts } from '../../../../plugins/dashboard/web/texts/de/server.ts'

vi.mock('../../../../plugins/dashboard/web/words.ts', () => {
  const more = { '{} was moved to {}.': 'Nach {2} verschoben: {1}.' }
  const sentences = { ...serverTexts.sentences, ...more }
  return { words: { serverTexts: { ...serverTexts, sentences } } }
})
// Files of tests share what they import, and others are in English.
vi.resetModules()
const { allSaid, labelsSaid, problemSaid, said } = await import(
  '../../../../plugins/dashboard/web/api/client/said.ts'
)

afterAll(() => {
  vi.resetModules()
})

it.each([
  ['Is required.', 'Ist erforderlich.'],
  ['Must have at least 12 characters.', 'Braucht mindestens 12 Zeichen.'],
  ['The short code a.b is taken.', 'Der Kurzcode a.b ist vergeben.'],
  ['The short code Tags is taken.', 'Der Kurzcode Tags ist vergeben.'],
  ['Ada was moved to Berlin.', 'Nach Berlin verschoben: Ada.'],
  ['A plugin of a stranger', 'A plugin of a stranger'],
  ['constructor', 'constructor'],
])('says “%s” as “%s”', (english, german) => {
  expect(said(english)).toBe(german)
})

it('says several sentences one by one, with words of the server in them', () => {
  expect(
    allSaid(
      'Countries of visitors come from data of 2026-06-17, 155 days ago. Somebody else said this. The log says why.',
    ),
  ).toBe(
    'Länder der Besucher kommen aus Daten vom 2026-06-17, vor 155 Tagen. Somebody else said this. Im Protokoll steht, warum.',
  )
})

it('says of a problem what its code means, where the sentence is not known', () => {
  expect(problemSaid('name_taken', 'Something is taken.')).toBe('Diesen Namen gibt es schon.')
  expect(problemSaid('acme_closed', 'Closed on Sundays.')).toBe('Closed on Sundays.')
})

it('translates labels of an answer, and keeps its other values, status and headers', async () => {
  const answer = Response.json(
    {
      data: [{ label: 'Tags', name: 'Tags', settings: [{ hint: null, value: 'Tags' }] }],
      panels: [{ title: 'Without Linnet', lead: 'All accounts' }],
    },
    { status: 201, headers: { etag: '"1"' } },
  )
  const here = await labelsSaid(answer)
  expect([here.status, here.headers.get('etag')]).toEqual([201, '"1"'])
  expect(await here.json()).toEqual({
    data: [{ label: 'Schlagwörter', name: 'Tags', settings: [{ hint: null, value: 'Tags' }] }],
    panels: [{ title: 'Ohne Linnet', lead: 'Alle Konten' }],
  })
})

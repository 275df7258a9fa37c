import { describe, expect, it } from 'vitest'
import { placesIn, sayWith } from '../../../../core/lib/text/say.ts'

const say = sayWith({
  'No link here': 'Qui non c’è nessun link',
  'This link opens on {}.': 'Questo link si apre il {}.',
  '{} of {} links': 'di {2} link, {1}',
  'Go to {}': '{} →',
  'From {} to {} in {}': '{3}: {1}–{2}',
  'Wait {}.': 'Attendi {}.',
  '{} seconds': '{} secondi',
  May: 'maggio',
})

describe('a sentence', () => {
  it.each([
    ['No link here', 'Qui non c’è nessun link'],
    ['This link opens on 1 May.', 'Questo link si apre il 1 May.'],
    ['3 of 5 links', 'di 5 link, 3'],
    ['Go to example.com', 'example.com →'],
    ['From 1 to 2 in May', 'maggio: 1–2'],
    ['Wait 5 seconds.', 'Attendi 5 secondi.'],
    ['Wait {} seconds.', 'Attendi {} secondi.'],
    ['No link', undefined],
    ['This link opens on .', undefined],
    ['This link opens on 1 May', undefined],
    ['of 5 links', undefined],
    ['From 1 to in', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%j is said as %j', (sentence, here) => {
    expect(say(sentence)).toBe(here)
  })

  it('of any length with any number of values takes no longer than reading it', () => {
    const many = sayWith({ [`{}${' of {}'.repeat(6)}!`]: 'x' })
    expect(many(' of'.repeat(1_000_000))).toBeUndefined()
  })
})

it.each([
  ['', []],
  ['{} of {}', [1, 2]],
  ['{2} {1}', [2, 1]],
  ['{0} {a} {12}', []],
])('in %j the places are %j', (text, places) => {
  expect(placesIn(text)).toEqual(places)
})

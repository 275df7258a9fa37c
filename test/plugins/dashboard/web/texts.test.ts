import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allLanguages, languageOf } from '../../../../plugins/dashboard/web/language/language.ts'
import { usedTexts } from './used-texts.ts'

const web = resolve(import.meta.dirname, '../../../../plugins/dashboard/web')
const folderOf = (language: string) => join(web, 'texts', language === 'en' ? '' : language)

/** Every text of a language by its path, as `texts.common.save`. */
async function textsOf(language: string): Promise<ReadonlyMap<string, Text>> {
  const first = language === 'en' ? join(web, 'texts.ts') : join(folderOf(language), 'texts.ts')
  const parts = [await import(first), await import(join(folderOf(language), 'rest.ts'))]
  return new Map(parts.flatMap(part => leaves(part, [])))
}

type Text = string | ((...values: unknown[]) => string)

function leaves(value: object, path: readonly string[]): readonly (readonly [string, Text])[] {
  return Object.entries(value).flatMap(([name, inside]) =>
    typeof inside === 'object'
      ? leaves(inside, [...path, name])
      : [[[...path, name].join('.'), inside] as const],
  )
}

/** Which of the values that it is given a text says, whatever they are. */
function placesIn(text: Text, count: number): readonly number[] {
  if (typeof text === 'string') return []
  const mark = (place: number) => `\uE000${place}\uE000`
  const said = combinations(count, place => [mark(place), 0, 1, 2]).map(values => {
    try {
      return text(...values)
    } catch {
      // It works with numbers, or with words.
      return ''
    }
  })
  return [...Array(count).keys()].filter(place => said.some(it => it.includes(mark(place))))
}

function combinations(count: number, choices: (place: number) => readonly unknown[]): unknown[][] {
  return [...Array(count).keys()].reduce<unknown[][]>(
    (before, place) => before.flatMap(values => choices(place).map(it => [...values, it])),
    [[]],
  )
}

const english = await textsOf('en')

describe('the texts of the dashboard', () => {
  it('are read somewhere, all of them', () => {
    const used = usedTexts()
    const isUsed = (path: string) => {
      const parts = path.split('.')
      return parts.some((_, index) => used.has(parts.slice(0, index + 1).join('.')))
    }
    expect(english.size).toBeGreaterThan(1_000)
    expect([...english.keys()].filter(path => !isUsed(path))).toEqual([])
  })

  it('come from files that are all loaded', () => {
    for (const language of allLanguages) {
      const files = readdirSync(folderOf(language)).filter(it =>
        /^(?!first|rest|server|texts)[\w-]+\.ts$/.test(it),
      )
      const list = readFileSync(join(folderOf(language), 'rest.ts'), 'utf8')
      expect(list).toBe(files.map(file => `export * from './${file}'\n`).join(''))
    }
  })
})

describe.each(allLanguages.filter(it => it !== 'en'))('the texts in %s', async language => {
  const texts = await textsOf(language)

  it('are those that there are in English', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('have the same values put in', () => {
    const others = [...english].flatMap(([path, text]) => {
      const translated = texts.get(path) ?? ''
      const count = typeof text === 'string' ? 0 : text.length
      const [here, there] = [placesIn(translated, count), placesIn(text, count)]
      return String(here) === String(there) ? [] : [`${path}: ${here} for ${there}`]
    })
    expect(others).toEqual([])
  })

  it('are none that somebody forgot to translate', async () => {
    const same = [...english].filter(([path, text]) => {
      const isText = typeof text === 'string' && /\p{L}/u.test(text)
      return isText && texts.get(path) === text
    })
    await expect(
      `${same.map(([path, text]) => `${path}: ${text}`).join('\n')}\n`,
    ).toMatchFileSnapshot(`same-in-${language}.txt`)
  })
})

it.each([
  [['de-AT', 'en'], 'de'],
  [['nl', 'de', 'en'], 'de'],
  [['EN-gb'], 'en'],
  [['', 'x-klingon', 'dea'], 'en'],
  [[], 'en'],
])('of the languages %j the dashboard speaks %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language)
})

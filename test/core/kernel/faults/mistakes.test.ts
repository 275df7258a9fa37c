import { describe, expect, it, vi } from 'vitest'
import { isNight, oneOf } from '../../../at-night.ts'
import {
  budgetMs,
  expectOthersWell,
  hooks,
  isNamed,
  keepInstance,
  linnet,
  type Row,
  setUpRow,
  until,
} from './faulty-hooks.ts'

keepInstance()

class Mood {
  readonly tone = 'low'
}

/**
 * What an author writes by mistake: what a hook answers with, instead of what it should. In every run each hook has one of
 * two kinds, another one than the hook before.
 */
const kinds: readonly Readonly<Record<string, () => unknown>>[] = [
  { undefined: () => undefined, null: () => null, NaN: () => Number.NaN },
  {
    'a text': () => 'low',
    'a list': () => [1, 2],
    'an empty object': () => ({}),
  },
  {
    'a huge text': () => 'low'.repeat(2_000_000),
    'a huge list': () => Array.from({ length: 3_000_000 }, () => 'low'),
    // Whoever looks at each entry does so for half a minute.
    'a list of holes': () => new Array(2 ** 32 - 1),
  },
  { 'an instance of a class': () => new Mood(), 'a function': () => () => 'low' },
]

const boom = () => new Error('boom')
const rejections: Readonly<Record<string, () => unknown>> = {
  'a promise that rejects': () => Promise.reject(boom()),
  // As some packages for databases and requests have them.
  'a thenable that rejects': () => ({
    // biome-ignore lint/suspicious/noThenProperty: this is what it is about
    then: (_: unknown, reject: (error: unknown) => void) => reject(boom()),
  }),
}

/** Whether each mistake needs a linnet of its own: it can be made only once, or is logged only now and then. */
const isOnce = ({ part, isOffAtFirst }: Row) =>
  isOffAtFirst || part === 'dispose' || part.startsWith('dimensions.')

describe.each(hooks)('the hook %s', (_, row, place) => {
  type Begin = Awaited<ReturnType<typeof setUpRow>>['begin']

  async function give(begin: Begin, mistake: string, of: () => unknown, isTaken: boolean) {
    const before = linnet.log.length
    const { seen } = await begin(of)
    await expectOthersWell(row.isInWriting)
    const expected = row.seen?.[mistake] ?? (isTaken ? row.well : row.failed)
    expect(await seen, mistake).toEqual(expected)
    if (!isTaken) await until(() => linnet.log.slice(before).some(isNamed(row, '')))
  }

  const all: readonly (readonly [string, () => unknown])[] = [
    ...kinds
      .filter((_, index) => isNight || index % 2 === place % 2)
      .flatMap(kind => oneOf(Object.entries(kind), place)),
    ...(row.huge === undefined ? [] : [['far too much', () => row.huge] as const]),
  ]
  const given = isOnce(row) ? all.map(it => [it] as const) : [all]
  it.each(given.map(some => [some.map(([name]) => name).join(', '), some] as const))(
    'that gives %s is contained and named',
    async (_, some) => {
      const { begin } = await setUpRow(row)
      for (const [mistake, of] of some) {
        const isTaken = row.givesAnything || row.takes?.includes(mistake)
        await give(begin, mistake, of, isTaken === true)
      }
      await expectOthersWell()
      expect(Math.max(...linnet.log.map(line => line.length))).toBeLessThan(2_000)
    },
  )

  const possible = row.isInSchema ? [] : Object.entries(rejections)
  it.each(oneOf(possible, place))('that gives %s is contained and named', async (_, of) => {
    const { begin } = await setUpRow(row)
    const { seen } = await begin(of)
    await expectOthersWell(row.isInWriting)
    expect(await seen).toEqual(row.failed)
    await vi.advanceTimersByTimeAsync(2 * budgetMs)
    expect(linnet.log.some(isNamed(row, row.isPlain ? '' : 'boom'))).toBe(true)
    await expectOthersWell()
  })
})

import { describe, expect, it, vi } from 'vitest'
import type { Context } from '../../../../core/plugin.ts'
import { isNight, oneOf } from '../../../at-night.ts'
import {
  budgetMs,
  expectOthersWell,
  feature,
  hooks,
  isNamed,
  keepInstance,
  linnet,
  setUpRow,
  until,
} from './faulty-hooks.ts'

keepInstance()

/** One of its hooks does this, and what the log then says of it. */
interface Fault {
  does(): unknown
  readonly why: string
  /** Of a promise that nobody has waited for: `test/e2e/faulty-plugin.test.ts` has it. */
  readonly isStray?: true
}

const nonsense = 'it returned an invalid value'
const late = `no answer within ${budgetMs} ms`
const failures: Readonly<Record<string, Fault>> = {
  throws: {
    does() {
      throw new Error('boom')
    },
    why: 'boom',
  },
  'throws null': {
    does() {
      throw null
    },
    why: 'it threw null, which is no error',
  },
  'gives nonsense': { does: () => -7, why: nonsense },
  hangs: { does: () => new Promise(() => undefined), why: late },
  'rejects when nobody waits any more': {
    does: () =>
      new Promise((_, reject) => {
        setTimeout(reject, 2 * budgetMs, new Error('too late'))
      }),
    why: late,
    isStray: true,
  },
}

/** What does no harm to what the hook was asked for. */
const nuisances: Readonly<Record<string, (context: Context | undefined) => void>> = {
  'floods the log'(context) {
    for (let line = 0; line < 5_000; line += 1) context?.log.error('flood')
  },
  'leaks timers'() {
    for (let timer = 0; timer < 100; timer += 1) setInterval(() => undefined, 1_000)
  },
}

/** What each hook does in every run, and of the others one. */
const always = ['throws']

describe.each(hooks)('the hook %s', (_, row, place) => {
  const possible = Object.entries(failures).filter(([, { isStray }]) => !(row.isPlain && isStray))
  const others = possible.filter(([name]) => !always.includes(name))
  it.each([...possible.filter(([name]) => always.includes(name)), ...oneOf(others, place)])(
    'that %s is contained and named',
    async (_, { does, why }) => {
      const { begin } = await setUpRow(row)
      const { seen } = await begin(does)
      await expectOthersWell(row.isInWriting)
      await vi.advanceTimersByTimeAsync(budgetMs)
      const mayBe = (row.givesAnything || row.takes?.includes('a number')) && why === nonsense
      const failed = why === late ? (row.late ?? row.failed) : row.failed
      expect(await seen).toEqual(mayBe ? row.well : failed)
      const isNonsense = why === nonsense || (row.isPlain && why === late)
      if (!mayBe && !row.isUnbounded)
        await until(() => linnet.log.some(isNamed(row, isNonsense ? '' : why)))
      await vi.advanceTimersByTimeAsync(2 * budgetMs)
      if (row.isUnbounded && why === 'boom') expect(linnet.log.some(isNamed(row, why))).toBe(true)
      await expectOthersWell()
    },
  )

  // In every run of every fourth hook: what these do is the same for all of them.
  it.each(isNight || place % 8 < 2 ? oneOf(Object.entries(nuisances), place) : [])(
    'that %s does what it does',
    async (_, annoy) => {
      const { begin } = await setUpRow(row)
      const { seen } = await begin((context, well) => {
        annoy(context)
        return well
      })
      expect(await seen).toEqual(row.well)
      await expectOthersWell()
      const flood = linnet.log.filter(line => line === 'flood')
      expect(flood.length).toBeLessThanOrEqual(200)
      await vi.advanceTimersByTimeAsync(60_000)
      const told = linnet.log.filter(line => line.startsWith(`${feature} logs too much: `))
      expect(told).toHaveLength(flood.length === 0 ? 0 : 1)
    },
  )
})

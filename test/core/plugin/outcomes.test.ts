import { expect, it } from 'vitest'
import { notFound, overloaded } from '../../../core/plugin/outcomes.ts'
import { type Refusal, refuse } from '../../../core/plugin.ts'

it('a refusal stays as it was made: whoever writes into one that all share is told, and changes none', () => {
  const texts = { en: 'Closed.', de: 'Geschlossen.' }
  const details = { retryAfterSeconds: 2 }
  const own = refuse('closed', texts, 404, 'url', details)
  const before = structuredClone([notFound, overloaded, own])
  const write = (into: object | undefined, name: string) =>
    expect(() => Object.assign(into ?? {}, { [name]: 'There is no such mood.' })).toThrow(TypeError)
  for (const it of [notFound, overloaded, own] satisfies readonly Refusal[]) {
    for (const name of ['detail', 'status', 'code', 'new']) write(it, name)
  }
  for (const it of [overloaded, own]) {
    write(it.texts, 'en')
    write(it.details, 'retryAfterSeconds')
  }
  expect([notFound, overloaded, own]).toEqual(before)
  // What it was made of is still its maker's.
  expect([texts, details].map(it => Object.isFrozen(it))).toEqual([false, false])
})

import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { oneAtATime } from '../../../../plugins/organization/exports/one-at-a-time.ts'

it('exports of an account are made one after the other, also where one breaks off or its client leaves', async () => {
  const made: string[] = []
  async function* content(name: string, breaks = false) {
    for (const part of ['a', 'b']) {
      made.push(`${name} ${part}`)
      await delay(5)
      yield part
      if (breaks) throw new Error('It breaks.')
    }
  }
  const read = async (name: string, breaks?: boolean) => {
    const parts: string[] = []
    for await (const part of oneAtATime(1, content(name, breaks))) parts.push(part)
    return parts.join('')
  }
  const leave = async () => {
    for await (const _ of oneAtATime(1, content('left'))) return
  }
  const outcomes = Promise.allSettled([read('first'), read('broken', true), leave(), read('last')])
  const ofOther = oneAtATime(2, content('other'))
  expect(await ofOther.next()).toEqual({ done: false, value: 'a' })
  expect(made.filter(it => !it.startsWith('first'))).toEqual(['other a'])
  await ofOther.return(undefined)
  expect((await outcomes).map(it => ('value' in it ? it.value : 'broken'))).toEqual([
    ...['ab', 'broken', undefined, 'ab'],
  ])
  expect(made.filter(it => !it.startsWith('other'))).toEqual([
    ...['first a', 'first b', 'broken a', 'left a', 'last a', 'last b'],
  ])
})

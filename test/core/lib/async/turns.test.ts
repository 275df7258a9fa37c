import { expect, it } from 'vitest'
import { createTurns } from '../../../../core/lib/async/turns.ts'

it('a turn is for one at a time, in the order of asking, and others do something in between', async () => {
  const turns = createTurns()
  const order: string[] = []
  const endFirst = await turns.take()
  const waiting = ['a', 'b', 'c'].map(async name => {
    const end = await turns.take()
    order.push(name)
    setImmediate(() => order.push(`after ${name}`))
    end()
  })
  await Promise.resolve()
  expect(order).toEqual([])
  endFirst()
  await Promise.all(waiting)
  expect(order).toEqual(['a', 'after a', 'b', 'after b', 'c'])
})

it('a caller that comes when no turn is taken does not wait', async () => {
  const turns = createTurns()
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  for (let time = 0; time < 3; time += 1) {
    const end = await turns.take()
    end()
  }
  expect(isLater).toBe(false)
})

it('lanes take turns, however many wait in one', async () => {
  const turns = createTurns()
  const order: string[] = []
  const endFirst = await turns.take('a')
  const waiting = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async name => {
    const end = await turns.take(name[0])
    order.push(name)
    end()
  })
  endFirst()
  await Promise.all(waiting)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(turns.isTaken()).toBe(false)
})

it('a turn that is ended twice takes nothing from who comes next', async () => {
  const turns = createTurns()
  const endFirst = await turns.take()
  const second = turns.take()
  const third = turns.take()
  endFirst()
  endFirst()
  await second
  let isThird = false
  void third.then(() => {
    isThird = true
  })
  await new Promise(setImmediate)
  expect(isThird).toBe(false)
})

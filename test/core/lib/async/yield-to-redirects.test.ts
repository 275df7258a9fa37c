import { expect, it } from 'vitest'
import { yieldToRedirects } from '../../../../core/lib/async/yield-to-redirects.ts'

it('one caller goes on in each turn of the event loop, in the order of asking', async () => {
  const order: string[] = []
  const others = (left: number) => {
    order.push('others')
    if (left > 1) setImmediate(others, left - 1)
  }
  setImmediate(others, 5)
  const goOn = async (name: string) => {
    await yieldToRedirects()
    order.push(name)
    await yieldToRedirects()
    order.push(`${name} again`)
  }
  await Promise.all([goOn('a'), goOn('b')])
  expect(order).toEqual(['others', 'a', 'others', 'b', 'others', 'a again', 'others', 'b again'])
})

it('control: immediates of Node all run in one turn', async () => {
  const order: string[] = []
  const nodes = (name: string) =>
    new Promise<void>(resolve => setImmediate(resolve)).then(() => order.push(name))
  await Promise.all([
    nodes('a'),
    nodes('b'),
    new Promise(resolve => setImmediate(() => setImmediate(resolve))).then(() =>
      order.push('others'),
    ),
  ])
  expect(order).toEqual(['a', 'b', 'others'])
})

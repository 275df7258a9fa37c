import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectGarbage } from '../../../../core/lib/memory/collect-garbage.ts'

it('what nothing refers to is gone when the garbage was collected', async () => {
  const ref = new WeakRef({ forgotten: true })
  await turn()
  await collectGarbage()
  expect(ref.deref()).toBeUndefined()
})

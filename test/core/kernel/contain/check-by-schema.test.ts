import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { checkBySchema } from '../../../../core/kernel/contain/check-by-schema.ts'

it('a value that may have any size is not counted: a list of holes would take minutes', () => {
  const look = vi.fn(() => 'low')
  const list = Object.defineProperty(new Array(3), 0, { get: look })
  const check = checkBySchema(z.union([z.string(), z.object({})]), Number.POSITIVE_INFINITY)
  expect(check(list)).toMatch(/^it returned an invalid value: /)
  expect(look).not.toHaveBeenCalled()
  expect(checkBySchema(z.string())(list)).toMatch(/^it returned an invalid value: /)
  expect(look).toHaveBeenCalled()
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { publicId } from '../../../../core/plugin.ts'
import { publicIdIn, uuidOf } from '../../../../plugins/developer/kutt/uuid.ts'

it('a UUID leads back to the id that it was made of', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), id => {
      const shown = publicId('lnk', id)
      const uuid = uuidOf(shown)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
      expect(publicIdIn('lnk', uuid)).toBe(shown)
      expect(publicIdIn('lnk', uuid.toUpperCase())).toBe(shown)
    }),
  )
})

it.each([
  '',
  'lnk_Gv8J65Sx',
  '8c2f6f0e-3d5b-4f0e-9a4c-1f1b0b1f1a11',
  '00000000-0000-8000-8000-000000000000',
  '2f2e2e2f-2e2e-82f6-8162-632f00000000',
])('%s is the UUID of nothing', uuid => {
  expect(publicIdIn('lnk', uuid)).toBeUndefined()
})

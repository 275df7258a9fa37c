import { expect, test } from 'vitest'
import { features } from '../../config/features.ts'
import { flags } from '../../core/accounts/features.ts'

test('everything is on from the start but billing, which nothing brings', () => {
  expect(Object.keys(features)).toEqual(flags)
  expect(flags.filter(flag => !features[flag])).toEqual(['billingEnabled'])
})

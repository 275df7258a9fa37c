import { expect, test } from 'vitest'
import { contract } from '../../config/contract.ts'
import { features } from '../../config/features.ts'

test('everything is on from the start but billing, which nothing brings', () => {
  expect(Object.keys(features)).toEqual(contract.flags)
  expect(contract.flags.filter(flag => !features[flag])).toEqual(['billingEnabled'])
})

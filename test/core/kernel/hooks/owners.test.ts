import { beforeEach, describe, expect, it } from 'vitest'
import { createOwners } from '../../../../core/kernel/hooks/owners.ts'
import type { Entitlements } from '../../../../core/settings/entitlements.ts'
import visitsByBrowser from '../../../../plugins/analytics/visits-by-browser.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { testEntitlements } from '../../accounts/fixtures.ts'

const plugins = [customShortCode, visitsTracking, visitsByBrowser]

let entitlements: Entitlements
let owners: ReturnType<typeof createOwners>

beforeEach(() => {
  const installed = new Map(plugins.map(plugin => [plugin.feature as string, plugin]))
  entitlements = testEntitlements({ installed })
  owners = createOwners(plugins, entitlements)
})

describe('an owner', () => {
  it('has counted what the plan has, and as much of it', () => {
    expect(owners.ownerOf(7, 'pro')).toEqual({
      accountId: 7,
      collect: ['visits', 'bots', 'visitsByBrowser'],
      maxTrackedVisits: Number.MAX_SAFE_INTEGER,
    })
    expect(owners.ownerOf(7, 'free').collect).toEqual([])
  })

  it('of an unknown plan has the least', () => {
    expect(owners.ownerOf(7, 'platinum').collect).toEqual([])
  })

  it('is one for all links of an account, and shares its list with others of the plan', () => {
    expect(owners.ownerOf(7, 'pro')).toBe(owners.ownerOf(7, 'pro'))
    expect(owners.ownerOf(8, 'pro').collect).toBe(owners.ownerOf(7, 'pro').collect)
    expect(owners.ownerOf(8, 'pro')).not.toBe(owners.ownerOf(7, 'pro'))
  })

  it('is another one after a change of plans or switches', async () => {
    const before = owners.ownerOf(7, 'pro')
    await entitlements.changePlans.update('pro', {
      analytics: { visitsByBrowser: false },
      limits: { maxTrackedVisitsPerMonth: 10 },
    })
    expect(owners.ownerOf(7, 'pro')).toEqual({
      accountId: 7,
      collect: ['visits', 'bots'],
      maxTrackedVisits: 10,
    })
    expect(before.collect).toContain('visitsByBrowser')
    await entitlements.updateFeatures({ visitTrackingEnabled: false })
    expect(owners.ownerOf(7, 'pro').collect).toEqual([])
  })
})

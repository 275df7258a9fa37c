import { describe, expect, it } from 'vitest'
import visitsByOperatingSystem from '../../../plugins/analytics/visits-by-operating-system.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot } from '../../harness.ts'
import { agents } from './agents.ts'
import { looksAtVisitors } from './visitor-dimension.ts'

describe('the operating system', () => {
  looksAtVisitors(visitsByOperatingSystem, [
    [{ 'user-agent': agents.chromeOnWindows }, 'Windows'],
    [{ 'user-agent': agents.edgeOnWindows }, 'Windows'],
    [{ 'user-agent': agents.firefoxOnLinux }, 'Linux'],
    [{ 'user-agent': agents.safariOnMac }, 'Mac OS'],
    [{ 'user-agent': agents.safariOnIphone }, 'iOS'],
    [{ 'user-agent': agents.safariOnIpad }, 'iOS'],
    [{ 'user-agent': agents.chromeOnAndroid }, 'Android'],
    [{ 'user-agent': agents.curl }, undefined],
  ])

  it('is called what its maker calls it', async () => {
    const linnet = await boot([visitsTracking, visitsByOperatingSystem])
    const link = await linnet.create()
    await linnet.visit(link, { headers: { 'user-agent': agents.safariOnMac } })
    const { body } = await linnet.api('GET', `/links/${link.id}/analytics`)
    expect(body.data.visitsByOperatingSystem).toMatchObject([{ value: 'Mac OS', label: 'macOS' }])
    await linnet.stop()
  })
})

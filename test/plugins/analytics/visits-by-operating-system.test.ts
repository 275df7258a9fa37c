import { describe } from 'vitest'
import visitsByOperatingSystem from '../../../plugins/analytics/visits-by-operating-system.ts'
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
})

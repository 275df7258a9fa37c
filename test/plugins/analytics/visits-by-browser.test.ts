import { describe } from 'vitest'
import visitsByBrowser from '../../../plugins/analytics/visits-by-browser.ts'
import { agents } from './agents.ts'
import { looksAtVisitors } from './visitor-dimension.ts'

describe('the browser', () => {
  looksAtVisitors(visitsByBrowser, [
    [{ 'user-agent': agents.firefoxOnLinux }, 'Firefox'],
    [{ 'user-agent': agents.chromeOnWindows }, 'Chrome'],
    [{ 'user-agent': agents.chromeOnAndroid }, 'Chrome'],
    [{ 'user-agent': agents.edgeOnWindows }, 'Edge'],
    [{ 'user-agent': agents.safariOnMac }, 'Safari'],
    [{ 'user-agent': agents.safariOnIphone }, 'Safari'],
    [{ 'user-agent': agents.curl }, 'curl'],
    [{ 'user-agent': '' }, undefined],
  ])
})

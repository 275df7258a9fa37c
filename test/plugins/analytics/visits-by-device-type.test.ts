import { describe } from 'vitest'
import visitsByDeviceType from '../../../plugins/analytics/visits-by-device-type.ts'
import { agents } from './agents.ts'
import { looksAtVisitors } from './visitor-dimension.ts'

describe('the type of device', () => {
  looksAtVisitors(
    visitsByDeviceType,
    [
      [{ 'user-agent': agents.safariOnIphone }, 'mobile'],
      [{ 'user-agent': agents.chromeOnAndroid }, 'mobile'],
      [{ 'user-agent': agents.safariOnIpad }, 'tablet'],
      [{ 'user-agent': agents.firefoxOnLinux }, 'desktop'],
      [{ 'user-agent': agents.safariOnMac }, 'desktop'],
      [{ 'user-agent': agents.television }, 'other'],
      [{ 'user-agent': agents.curl }, undefined],
    ],
    'Mobile',
  )
})

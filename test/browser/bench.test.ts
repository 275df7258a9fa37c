import { describe, expect, it } from 'vitest'
import { runBench, tablesIn } from '../e2e/bench.ts'
import { hasChromium } from './chromium.ts'

describe.skipIf(!hasChromium)('the benchmark of the dashboard, at a thousandth of its size', () => {
  it('measures loads that find nothing cached, and reloads', async () => {
    const report = await runBench('dashboard', ['--loads', '1', '--links', '1'])
    expect(tablesIn(report)['']).toEqual(['cold', 'warm'])
  })
})

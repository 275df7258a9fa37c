import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../bench/chromium.mjs'
import { runBench, tablesIn } from './bench.ts'

const compared = ['raw node:http + Map', 'every dimension']
const all = [
  ...['raw node:http + Map', 'raw, a tick kept', 'no tracking', 'totals only'],
  ...['all but cities', 'every dimension', 'every plugin', 'every dimension, without the lane'],
]
const alsoWithoutLane = [...compared, 'every dimension, without the lane']

describe('the benchmark, at a thousandth of its size', () => {
  it('measures every server, counting just what it was answered', async () => {
    const report = await runBench('run', ['--size', '0.001', '--rounds', '1'])
    // If nginx is installed, it has a row too.
    expect(tablesIn(report, row => !row.startsWith('nginx'))).toEqual({
      'at rest': all,
      '1 link, Zipf': all,
      '1 link, uniform': alsoWithoutLane,
      'only 1 link': compared,
      '100 links, Zipf': compared,
      '100 links, uniform': alsoWithoutLane,
      'unknown codes': ['raw node:http + Map', 'every dimension'],
      'ten minutes': ['all links', 'unknown codes'],
      'at ease, 1,000 requests/s': [
        'raw node:http + Map',
        ...['no tracking', 'totals only', 'every dimension', 'every plugin'],
      ],
      'making links': ['1 client', '10 clients', '50 clients', '1 client, 100 at once'],
    })
  })

  it('measures another build beside this one', async () => {
    const options = ['--only', 'making', '--against', 'dist/main.js']
    const report = await runBench('run', ['--size', '0.001', '--rounds', '1', ...options])
    expect(tablesIn(report)['making links']?.slice(0, 2)).toEqual(['1 client', '1 client, before'])
    expect(report).toContain('| of before |')
  })

  it.each(['2024-02-29T03:10:00Z', '2026-11-22T11:59:59Z'])(
    'asks about the year that ends at %s',
    async now => {
      const size = ['--links', '1000', '--visits', '100000', '--requests', '2']
      const report = await runBench('analytics', [...size, '--now', now])
      expect(tablesIn(report)['']).toEqual([
        'the profile, to compare with',
        'a link, 30 days',
        'a link, all time',
        'a link, 90 days in a zone, compared',
        '10 links, 30 days',
        '10 links, 12 months',
        '10 links, all time',
        '10 links, 90 days in a zone, compared',
        'campaign of 10 links, 30 days',
        'campaign of 10 links, 12 months',
        'links of 10 links, 30 days, compared',
        'links of 10 links, 7 days',
        'links of 10 links, 12 months, compared',
        'links of 10 links with visits from Germany, 30 days, compared',
        'list of 10 links by visits',
        'list of 10 links by last visit',
        'list of 10 links, a word that none has',
        'list of 10 links, a word that each has',
        'list of 10 links, a word that each has, by visits',
      ])
    },
  )

  it.skipIf(!chromiumPath)('measures loads of the dashboard, cold and warm', async () => {
    const report = await runBench('dashboard', ['--loads', '1', '--links', '1'])
    expect(tablesIn(report)['']).toEqual(['cold', 'warm'])
  })
})

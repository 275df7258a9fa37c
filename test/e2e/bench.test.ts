import { expect, it } from 'vitest'
import { runBench, tablesIn } from './bench.ts'

// The nightly test/faults/bench.test.ts runs every measurement.
it('the benchmark measures another build beside this one', async () => {
  const options = ['--only', 'making', '--against', 'dist/main.js']
  const report = await runBench('run', ['--size', '0.001', '--rounds', '1', ...options])
  expect(tablesIn(report)['making links']?.slice(0, 2)).toEqual(['1 client', '1 client, before'])
  expect(report).toContain('| of before |')
})

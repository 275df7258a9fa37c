import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { itAtNight } from '../../../at-night.ts'

/** How many MiB V8 takes for what is young, when a program keeps much of what it makes. */
function youngMebibytes(first: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    ${first}
    const kept = []
    for (let made = 0; made < 3_000_000; made += 1) kept[made % 400_000] = { made }
    const { space_size } = getHeapSpaceStatistics().find(it => it.space_name === 'new_space')
    console.log(space_size / 2 ** 20)`
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', program])
  return Number(answer)
}

itAtNight('young objects stay in a few MiB, whatever a program does', () => {
  const module = new URL('../../../../core/lib/memory/keep-young-small.ts', import.meta.url).href
  const small = `import { keepYoungSmall } from '${module}'; keepYoungSmall()`
  expect(youngMebibytes(small)).toBeLessThanOrEqual(8)
  // Control: by itself it takes more.
  expect(youngMebibytes('')).toBeGreaterThan(8)
})

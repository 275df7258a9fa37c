import { describe, expect, it } from 'vitest'
import { showProgress } from '../../../core/cli/output.ts'

/** Shows so many steps, a second apart, and gives what was written. */
function write(isTTY: boolean, steps: number): readonly string[] {
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 }
  let at = 0
  const { show, end } = showProgress(stream, () => at)
  for (let step = 0; step < steps; step += 1) {
    show(step / steps, `Step ${step}`)
    at += 1_000
  }
  end()
  return written
}

describe('progress', () => {
  it('is a bar on a terminal, and the line is free again at the end', () => {
    const [first, second, ...rest] = write(true, 3)
    expect(first).toBe('\r\u001b[K[##########....................]  33 %  Step 1')
    expect(second).toBe('\r\u001b[K[####################..........]  66 %  Step 2')
    expect(rest).toEqual(['\r\u001b[K'])
  })

  it('is a line every five seconds elsewhere, and nothing is said of what is done sooner', () => {
    expect(write(false, 5)).toEqual([])
    expect(write(false, 12)).toEqual(['41 %: Step 5\n', '83 %: Step 10\n'])
  })
})

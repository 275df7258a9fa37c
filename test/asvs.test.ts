import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { titlesIn } from './titles-in.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const doc = read('docs/asvs.md')

/** How many requirements of level 1 and 2 each section of version 5.0.0 has; they are numbered from 1 on. */
const sections = `
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2
8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`

const wanted = sections
  .trim()
  .split(/\s+/)
  .flatMap(section => {
    const [name = '', count] = section.split(':')
    return Array.from({ length: Number(count) }, (_, index) => `${name}.${index + 1}`)
  })

const verdicts = ['met', 'documented', 'in part', 'not met', 'does not apply']

const rows = [...doc.matchAll(/^\| (\d[\d., to]+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, numbers = '', what = '', verdict = '', why = '']) => ({ numbers, what, verdict, why }),
)

/** `1.4.1 to 1.4.3` is three numbers. */
function expanded(numbers: string): readonly string[] {
  return numbers.split(', ').flatMap(part => {
    const [from = '', to = from] = part.split(' to ')
    const section = from.slice(0, from.lastIndexOf('.'))
    const [first, last] = [from, to].map(it => Number(it.slice(it.lastIndexOf('.') + 1)))
    const count = (last ?? 0) - (first ?? 0) + 1
    return Array.from({ length: count }, (_, index) => `${section}.${(first ?? 0) + index}`)
  })
}

describe('docs/asvs.md', () => {
  it('has every requirement of level 2 once, and no other', () => {
    const named = rows.flatMap(({ numbers }) => expanded(numbers))
    expect([...named].sort()).toEqual([...wanted].sort())
  })

  it('counts them as they are', () => {
    const count = (verdict: string) =>
      rows
        .filter(row => row.verdict === verdict)
        .reduce((sum, { numbers }) => sum + expanded(numbers).length, 0)
    const [met, documented, inPart, notMet, notAsked] = verdicts.map(count)
    expect(doc).toContain(
      `Of ${wanted.length} lines, ${met} are met, ${documented} documented, ${inPart} met in part, ${notMet} not met, and ${notAsked} do not apply.`,
    )
  })

  it.each(rows)('says of $numbers how it is met, or why it is not', ({ verdict, why }) => {
    expect(verdicts).toContain(verdict)
    if (verdict !== 'met') return expect(why).toMatch(/\.$/)
    const [, file = '', title] = /^`(test\/\S+)`: (.+)$/.exec(why) ?? []
    expect(titlesIn(read(file))).toContain(title)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { movedFrom, partAt, partsOf, programs, services } from './moved/moved.ts'

/** `test/e2e/moved.test.ts` sends the requests; here is what holds of the lists themselves. */
describe.each([...programs, ...services])('the list of requests of %s', source => {
  const { requests, reasons, cited = {}, ...moved } = movedFrom(source)
  const differences = requests.flatMap(({ ask, answer, here = {} }) =>
    Object.entries(here).map(([path, it]) => ({ ask, answer, path, ...it })),
  )

  it('has no difference that is none, and no reason that nothing has', () => {
    for (const { ask, answer, path, is = null, like } of differences) {
      expect(
        partsOf(answer).map(([path]) => path),
        ask,
      ).toContain(path)
      const there = partAt(answer, path)
      if (like === undefined) expect(is, `${ask} ${path}`).not.toEqual(there)
      else expect(`${there}`, `${ask} ${path}`).not.toMatch(new RegExp(like))
    }
    const named = new Set(differences.map(({ because }) => because))
    expect([...named].toSorted()).toEqual(Object.keys(reasons).toSorted())
  })

  it('says of each answer that was not seen where it was read', () => {
    const named = new Set(requests.map(({ from }) => from))
    const read = [...named].filter(from => from !== 'seen' && from !== 'source')
    expect(read.toSorted()).toEqual(Object.keys(cited).toSorted())
  })

  it('gives the reasons of its page', () => {
    const [file, heading] = moved.page ?? [`${source}.md`, 'Answers that differ']
    const page = readFileSync(new URL(`../docs/moving-from/${file}`, import.meta.url), 'utf8')
    const [, said = ''] = page.split(`\n### ${heading}\n`)[1]?.match(/^(.*?)\n##/s) ?? []
    expect(said).not.toBe('')
    const items = [...said.matchAll(/^- (.*(?:\n {2}.*)*)$/gm)].map(([, it = '']) =>
      it.replace(/\s+/g, ' '),
    )
    expect(items).toEqual(Object.values(reasons))
  })
})

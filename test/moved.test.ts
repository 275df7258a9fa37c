import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { movedFrom, partAt, partsOf, sources } from './moved/moved.ts'

/** `test/e2e/moved.test.ts` sends the requests; here is what holds of the lists themselves. */
describe.each(sources)('the list of requests of %s', source => {
  const { requests, reasons } = movedFrom(source)
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

  it('gives the reasons of its page', () => {
    const page = readFileSync(new URL(`../docs/moving-from/${source}.md`, import.meta.url), 'utf8')
    const [, said = ''] = /\n### Answers that differ\n(.*?)\n## /s.exec(page) ?? []
    const items = [...said.matchAll(/^- (.*(?:\n {2}.*)*)$/gm)].map(([, it = '']) =>
      it.replace(/\s+/g, ' '),
    )
    expect(items).toEqual(Object.values(reasons))
  })
})

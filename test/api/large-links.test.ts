import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness
beforeAll(async () => {
  linnet = await bootAll()
})
afterAll(() => linnet.stop())

/** So many rules of 1,000 characters each, or a few more. */
const rules = (count: number) => ({
  dynamic_routing: {
    rules: Array.from({ length: count }, (_, rule) => ({
      name: `rule ${rule}`,
      original_url: `https://example.com/${'a'.repeat(900)}`,
      conditions: [{ type: 'os', operator: 'is', value: ['Android'] }],
    })),
  },
})

const refused = {
  status: 422,
  body: { code: 'validation_failed', detail: expect.stringContaining('at most 20,000 bytes') },
}

describe('what is set for one link', () => {
  it('may be much, and is shown whole', async () => {
    const { id } = await linnet.create({ title: 'Many rules', ...rules(17) })
    const { body } = await linnet.api('GET', '/links?search=many')
    expect(body.data[0]).toMatchObject({ id, dynamicRouting: { rules: { length: 17 } } })
  })

  it('is refused when it is more than a list could hold', async () => {
    const draft = { original_url: 'https://example.com/', title: 'Too many rules', ...rules(24) }
    expect(await linnet.api('POST', '/links', draft)).toMatchObject(refused)
    const { id } = await linnet.create()
    expect(await linnet.api('PATCH', `/links/${id}`, rules(24))).toMatchObject(refused)
    expect((await linnet.api('GET', `/links/${id}`)).body.data.dynamicRouting).toBeNull()
    expect((await linnet.api('GET', '/links?search=too')).body.meta.total).toBe(0)
  })
})

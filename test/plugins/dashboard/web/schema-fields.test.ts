import { describe, expect, it } from 'vitest'
import type { Description } from '../../../../plugins/dashboard/web/api/instance/description.ts'
import { groupsOf } from '../../../../plugins/dashboard/web/pages/tokens/api/operations.ts'
import {
  exampleOf,
  fieldsOf,
} from '../../../../plugins/dashboard/web/pages/tokens/api/schema-fields.ts'
import { plugins } from '../../../api/whole-instance.ts'
import { boot } from '../../../harness.ts'

/** The real description, with every plugin. */
async function described() {
  const linnet = await boot(plugins)
  const description: Description = (await linnet.api('GET', '/openapi.json')).body
  await linnet.stop()
  return description
}

describe('the description of the API', () => {
  it('is shown to the last request, each with an example that says what is needed', async () => {
    const description = await described()
    const operations = groupsOf(description, '').flatMap(group => group.operations)
    const count = Object.values(description.paths).flatMap(Object.keys).length
    expect([operations.length, operations.length > 80]).toEqual([count, true])
    for (const { body, answers } of operations) {
      expect(answers.every(({ about }) => about !== '')).toBe(true)
      if (!body) continue
      const example = Object.keys(Object(exampleOf(description, body)))
      const needed = fieldsOf(description, body).filter(
        ({ name, isRequired }) => isRequired && /^\w+$/.test(name),
      )
      expect(example.sort()).toEqual(needed.map(({ name }) => name).sort())
    }
  })

  it('names the fields of a link once, with what is in them', async () => {
    const description = await described()
    const [create] = groupsOf(description, 'links.create').flatMap(group => group.operations)
    const fields = create?.body ? fieldsOf(description, create.body) : []
    const names = fields.map(({ name }) => name)
    expect(names).toContain('short_code')
    expect(names).not.toContain('shortCode')
    expect(names).toContain('utm.source')
    expect(names).toContain('dynamic_routing.rules[].original_url')
    expect(fields.find(({ name }) => name === 'original_url')).toEqual({
      name: 'original_url',
      type: 'string (iri)',
      isRequired: true,
      about: expect.stringContaining('Where the link leads'),
    })
  })

  it('is searched by all words', async () => {
    const description = await described()
    const found = groupsOf(description, 'PATCH brand').flatMap(group => group.operations)
    expect(found.map(({ id }) => id)).toEqual(['brand.update'])
  })
})

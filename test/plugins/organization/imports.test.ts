import { afterEach, beforeEach, expect, it } from 'vitest'
import imports from '../../../plugins/organization/imports.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(imports)
})
afterEach(() => linnet.stop())

it('the programs from which links can come are listed, for who may write links', async () => {
  const { status, body } = await linnet.api('GET', '/imports/sources')
  expect(status).toBe(200)
  expect(Array.isArray(body.data)).toBe(true)
})

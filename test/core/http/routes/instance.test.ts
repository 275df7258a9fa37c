import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { boot } from '../../../harness.ts'

it('tells an admin the version of the running server: that of the package', async () => {
  const house = await boot([])
  const { status, body } = await house.api('GET', '/admin/instance')
  await house.stop()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([status, body]).toEqual([200, { data: { version } }])
})

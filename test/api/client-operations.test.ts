import { expect, it } from 'vitest'
import { operationsFile } from '../../client/build/describe.ts'
import { bootAll } from './whole-instance.ts'

it('gives the client each operation of the API', async () => {
  const linnet = await bootAll()
  const { body } = await linnet.api('GET', '/openapi.json')
  await linnet.stop()
  await expect(operationsFile(body)).toMatchFileSnapshot('../../client/operations.ts')
})

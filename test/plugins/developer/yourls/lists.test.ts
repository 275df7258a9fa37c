import { expect, it } from 'vitest'
import type { MountRequest } from '../../../../core/plugin.ts'
import { list } from '../../../../plugins/developer/yourls/lists.ts'

it('asks the API for no more links than a client asks for, since some are long', async () => {
  const paths: string[] = []
  const call: MountRequest['call'] = async (_method, path) => {
    paths.push(path)
    return { status: 404, body: { code: 'not_found', detail: 'None.' } }
  }
  await list({ input: { perpage: '10', offset: '20' }, call } as unknown as MountRequest)
  expect(paths).toEqual([expect.stringMatching(/\bper_page=10&page=3\b/)])
})

import { expect, it } from 'vitest'
import type { MountRequest } from '../../../../core/plugin.ts'
import { listLinks } from '../../../../plugins/developer/kutt/links.ts'

it('asks the API for no more links than a client asks for, since some are long', async () => {
  const paths: string[] = []
  const call: MountRequest['call'] = async (_method, path) => {
    paths.push(path)
    return { status: 404, body: { code: 'not_found', detail: 'None.' } }
  }
  await listLinks({ query: new URLSearchParams('limit=10&skip=20'), call } as never)
  expect(paths).toEqual([expect.stringMatching(/\bper_page=10&page=3\b/)])
})

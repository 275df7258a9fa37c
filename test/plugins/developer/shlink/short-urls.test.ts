import { expect, it } from 'vitest'
import type { MountRequest } from '../../../../core/plugin.ts'
import { listShortUrls } from '../../../../plugins/developer/shlink/short-urls.ts'

it('asks the API for no more links than a client asks for, since some are long', async () => {
  const paths: string[] = []
  const call: MountRequest['call'] = async (_method, path) => {
    paths.push(path)
    return { status: 404, body: { code: 'not_found', detail: 'None.' } }
  }
  await listShortUrls({
    query: new URLSearchParams('itemsPerPage=10&page=3'),
    call,
    now: () => new Date(),
  } as never)
  expect(paths).toEqual([expect.stringMatching(/\bper_page=10&page=3\b/)])
})

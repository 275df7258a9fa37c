import { expect, it } from 'vitest'
import { publicId } from '../../../core/lib/public-id.ts'
import { aPerson } from '../../api/people.ts'
import { boot } from '../../harness.ts'

it('what an account sends while it is deleted is refused, and nobody gets an internal error', async () => {
  const linnet = await boot(['developer.apiKeys', 'organization.tags'])
  const admin = await (await aPerson(linnet, { isAdmin: true })).token()
  for (let round = 0; round < 3; round += 1) {
    const leaver = await aPerson(linnet)
    const token = await leaver.token()
    const sent = Array.from({ length: 40 }, async (_, index) => {
      const [path, body] =
        index % 2 === 0
          ? ['/links', { original_url: `https://example.com/${index}` }]
          : ['/tags', { name: `Tag ${index}` }]
      const { status, body: answer } = await linnet.api('POST', String(path), body, token)
      return status === 201 ? 'made' : answer.code
    })
    const deleted = await linnet.api(
      'DELETE',
      `/admin/accounts/${publicId('acc', leaver.account.id)}`,
      null,
      admin,
    )
    expect(deleted.status).toBe(204)
    const seen = new Set(await Promise.all(sent))
    seen.delete('made')
    seen.delete('unauthenticated')
    seen.delete('invalid_token')
    expect([...seen]).toEqual([])
  }
})

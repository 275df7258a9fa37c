import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import customDomains from '../../../plugins/organization/custom-domains.ts'
import { boot, type Harness } from '../../harness.ts'
import { makeInternet } from '../../plugins/organization/custom-domains/internet.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const header = 'strict-transport-security'

describe('an instance whose base URL is https', () => {
  it('has browsers come back by https, whatever they asked for', async () => {
    linnet = await boot([linkExpiration, passwordProtection])
    const plain = await linnet.create()
    const limited = await linnet.create({ maxVisits: 1 })
    const asking = await linnet.create({ password: 'open sesame' })
    const paths = [plain, plain, limited, limited, asking].map(({ shortCode }) => `/${shortCode}`)
    for (const url of [...paths, '/', '/nothing', '/api/v1/session', '/health/live', '/assets/x']) {
      const { headers } = await inject(linnet.app.server.handle, { url })
      expect([url, headers[header]]).toEqual([url, 'max-age=31536000'])
    }
    for (const method of ['OPTIONS', 'PUT', 'GET'] as const) {
      for (const url of ['/api/v1/links', '/api/v1/nothing']) {
        const { headers } = await inject(linnet.app.server.handle, { method, url })
        expect([method, url, headers[header]]).toEqual([method, url, 'max-age=31536000'])
      }
    }
  })

  it('says nothing of that on hosts of accounts', async () => {
    const internet = makeInternet()
    linnet = await boot(customDomains, internet)
    const host = 'links.example.com'
    const rootUrl = 'https://example.com/front'
    const { body } = await linnet.api('POST', '/domains', { host, rootUrl })
    const { id, verification } = body.data
    internet.txt.set(verification.dns.name, [verification.text])
    await linnet.api('POST', `/domains/${id}/verify`)
    const link = await linnet.create({ domain: host })
    for (const path of [link.shortCode, link.shortCode, '', 'nothing']) {
      const { headers } = await linnet.visit(path, { headers: { host } })
      expect(headers[header]).toBeUndefined()
    }
  })
})

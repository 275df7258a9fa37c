import { expect } from 'vitest'
import type { Instance } from '../../e2e/server.ts'
import { mmdbFile, type Networks } from '../../mmdb.ts'
import { agents } from '../../plugins/analytics/agents.ts'

/** What a file of places says of a network: English name of a city, and the country's ISO 3166 code. */
export const place = (city: string, country: string) => ({
  city: { names: { en: city } },
  country: { iso_code: country },
})

/** Environment of a server that knows where its visitors are, by the word of a proxy. */
export function worldly(networks: Networks): Readonly<Record<string, string>> {
  return {
    LINNET_TRUSTED_PROXIES: '1',
    LINNET_GEOIP_FILE: mmdbFile(networks, { type: 'DBIP-City-Lite' }),
  }
}

/** Who follows a link; what is left out is that of a German with Firefox. */
export interface Visitor {
  readonly ip?: string
  readonly agent?: string
  readonly language?: string
  readonly referer?: string
  /** With its question mark. */
  readonly query?: string
}

/** Follow a link as somebody somewhere. */
export async function visit(server: Instance, code: string, visitor: Visitor = {}): Promise<void> {
  const { ip = '81.2.69.1', agent = agents.firefoxOnLinux, language = 'de', query = '' } = visitor
  const answer = await server.get(`/${code}${query}`, {
    'user-agent': agent,
    'x-forwarded-for': ip,
    'accept-language': language,
    ...(visitor.referer !== undefined && { referer: visitor.referer }),
  })
  expect(answer.status).toBe(302)
}

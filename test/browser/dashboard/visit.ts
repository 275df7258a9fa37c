import { expect } from 'vitest'
import type { Instance } from '../../e2e/server.ts'
import { mmdbFile, type Networks } from '../../mmdb.ts'
import { agents } from '../../plugins/analytics/agents.ts'

/** The record of a network in a file of places: English name of the city, and ISO 3166 code of the country. */
export const place = (city: string, country: string) => ({
  city: { names: { en: city } },
  country: { iso_code: country },
})

/** The environment of a server that finds its visitors' places from the addresses that a proxy names. */
export function worldly(networks: Networks): Readonly<Record<string, string>> {
  return {
    LINNET_TRUSTED_PROXIES: '1',
    LINNET_GEOIP_FILE: mmdbFile(networks, { type: 'DBIP-City-Lite' }),
  }
}

/** A visitor; by default a German with Firefox. */
export interface Visitor {
  readonly ip?: string
  readonly agent?: string
  readonly language?: string
  readonly referer?: string
  /** With its question mark. */
  readonly query?: string
}

/** Follows a link as this visitor. */
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

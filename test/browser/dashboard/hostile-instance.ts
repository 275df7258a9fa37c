import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, type Instance, type ServeOptions } from '../../e2e/server.ts'
import { agents } from '../../plugins/analytics/agents.ts'
import { hostile } from './hostile.ts'
import { place, visit, worldly } from './visit.ts'

/** An instance in which everything that people may name or write is hostile. */
export interface HostileInstance {
  readonly link: {
    readonly id: string
    readonly originalUrl: string
    /** Where an expired link sends its visitors. */
    readonly expiredUrl: string
  }
  readonly tagId: string
  readonly campaignId: string
  /** The name of the list that explains why a link is blocked. */
  readonly list: string
  /** The name of the file with the picture for the middle of QR codes. */
  readonly picture: string
  /** Sites that visitors came from, as hostile as a host name can be. */
  readonly sites: readonly string[]
}

const list = `${hostile[0]}.txt`
const picture = `${hostile[0]}.png`
const sites = [hostile[3], hostile[5]]
const addressOf = (host: string, word: string) => `https://${host}/#${encodeURI(word)}`
const networkOf = (index: number) => `81.2.${70 + index}`

/** A logo with a script, which must not run. */
export const hostileLogo = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='ran'">
  <script>document.title='ran'</script><image href="x" onerror="document.title='ran'"/>
</svg>`

/** The settings of the server: a list of harmful sites, and cities. */
export function hostileStart(): ServeOptions {
  const dataDir = temporaryFolder()
  const settings = { 'link.urlScanning': { lists: [join(dataDir, list)] } }
  writeFileSync(join(dataDir, list), '')
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ plugins: { settings } }))
  const cities = hostile.map((word, index) => [`${networkOf(index)}.0/24`, place(word, 'DE')])
  return { dataDir, env: worldly(Object.fromEntries(cities)) }
}

/**
 * Creates everything. The links: `everything` has visits, `locked` asks for a password, `over` is expired, `blocked` is
 * blocked.
 */
export async function fillInstance(server: Instance): Promise<HostileInstance> {
  const { dataDir } = server
  const send = async (method: string, path: string, body?: object) => {
    const answer = await server.api(method, path, body)
    if (answer.status >= 300) throw new Error(answer.text)
    return answer.body?.data
  }
  const [first, second] = hostile
  await send('PATCH', '/admin/brand', { name: first })
  await send('PATCH', '/profile', { fullName: second })
  const stranger = { email: "o'hara@example.org", password: 'battery staple' }
  await send('POST', '/admin/accounts', { ...stranger, fullName: first })
  const leading = { root_url: addressOf('root.example', first), not_found_url: null }
  await send('POST', '/domains', { host: 'links.example.org', ...leading })

  const tags: string[] = []
  const campaigns: string[] = []
  for (const name of hostile) {
    tags.push((await send('POST', '/tags', { name })).id)
    campaigns.push((await send('POST', '/campaigns', { name, description: `On ${name}` })).id)
    await send('POST', '/api-tokens', { name, scopes: ['*'] })
    await createLink(server, { title: name, original_url: addressOf('example.com', name) })
  }
  const everything = {
    short_code: 'everything',
    title: first,
    notes: hostile.join('\n'),
    original_url: addressOf('example.com', first),
    expired_url: addressOf('over.example', first),
    tag_ids: tags,
    campaign_id: campaigns[0],
    utm: Object.fromEntries(utm.map((part, index) => [part, hostile[index]])),
    dynamic_routing: { rules: hostile.map(ruleOf) },
  }
  const { id } = await createLink(server, everything)
  for (const index of hostile.keys()) await visitAs(server, index)

  await createLink(server, { short_code: 'locked', title: first, password: 'sesame' })
  await createLink(server, { short_code: 'over', title: first, max_visits: 1 })
  expect((await server.get('/over')).status).toBe(302)
  await createLink(server, {
    short_code: 'blocked',
    original_url: addressOf('harmful.example', first),
  })
  writeFileSync(join(dataDir, list), 'harmful.example\n')
  await send('POST', '/admin/jobs/link.urlScanning.rescan/run')

  const lists = [join(dataDir, list), ...hostile]
  await send('PATCH', '/admin/plugins/link.urlScanning', { settings: { lists } })
  await send('PATCH', '/admin/plugins/analytics.visitsFromQrCodesTracking', {
    settings: { logo: join(dataDir, picture) },
  })
  const { originalUrl, expiredUrl } = await send('GET', `/links/${id}`)
  const [tagId = '', campaignId = ''] = [tags[0], campaigns[0]]
  return { link: { id, originalUrl, expiredUrl }, tagId, campaignId, list, picture, sites }
}

const utm = ['source', 'medium', 'campaign', 'term', 'content'] as const

function ruleOf(word: string) {
  const query = { type: 'query_param', operator: 'is', key: word, value: word }
  return {
    name: word,
    original_url: addressOf('rule.example', word),
    conditions: [query, { type: 'os', operator: 'is_not', value: word }],
  }
}

/** Follows the rule for a word, from a city of that name. */
async function visitAs(server: Instance, index: number): Promise<void> {
  const word = hostile[index] ?? ''
  const site = sites[index]
  const query = new URLSearchParams({ [word]: word })
  for (const part of utm) query.set(`utm_${part}`, word)
  await visit(server, 'everything', {
    ip: `${networkOf(index)}.1`,
    // Other words belong to robots.
    agent: `${agents.firefoxOnLinux} ${hostile[0]}`,
    query: `?${query}`,
    referer: site === undefined ? `https://example.org/${word}` : `android-app://${site}/`,
  })
}

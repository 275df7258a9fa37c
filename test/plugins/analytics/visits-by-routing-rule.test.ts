import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsByRoutingRule from '../../../plugins/analytics/visits-by-routing-rule.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

const dynamicRules = {
  rules: [
    {
      name: 'Phones',
      originalUrl: 'https://example.com/phone',
      conditions: [{ type: 'device', operator: 'is', value: 'mobile' }],
    },
    {
      name: 'Letter',
      originalUrl: 'https://example.com/letter',
      conditions: [{ type: 'query_param', operator: 'is', key: 'ref', value: 'letter' }],
    },
  ],
}

beforeEach(async () => {
  const plugins = [passwordProtection, dynamicRouting, visitsTracking, visitsByRoutingRule]
  linnet = await boot(plugins, { at: '2026-11-20T12:30:00Z' })
  link = await linnet.create({ dynamicRouting: dynamicRules })
})
afterEach(() => linnet.stop())

const onPhone = { 'user-agent': agents.safariOnIphone }
const counted = async () => (await linnet.counts(link)).visitsByRoutingRule

describe('routing rules', () => {
  it('are counted by name, each visit by the one that won', async () => {
    await linnet.visit(link, { headers: onPhone })
    await linnet.visit(link, { headers: onPhone, query: '?ref=letter' })
    await linnet.visit(link, { query: '?ref=letter' })
    expect(await counted()).toEqual({ Phones: 2, Letter: 1 })
  })

  it('are not counted when none won, or there are none', async () => {
    await linnet.visit(link)
    await linnet.visit(await linnet.create())
    const { body } = await linnet.api('GET', '/analytics?dimensions=visitsByRoutingRule')
    expect(body.data).toMatchObject({
      visitsByRoutingRule: [{ value: '(none)', label: 'No rule', visits: 2, share: 1 }],
      totals: { visits: 2 },
    })
  })

  it('are counted once a protected link was opened', async () => {
    link = await linnet.create({ dynamicRouting: dynamicRules, password: 'sesame' })
    await linnet.visit(link, { headers: onPhone })
    expect(await counted()).toEqual({})
    const opened = await linnet.visit(link, { headers: onPhone, answers: { password: 'sesame' } })
    expect(opened.location).toBe('https://example.com/phone')
    expect(await counted()).toEqual({ Phones: 1 })
  })

  it.each([
    ['dnt', '1'],
    ['sec-gpc', '1'],
    ['user-agent', agents.googlebot],
  ])('route who sends %s: %s, and do not count them', async (name, value) => {
    const visit = { query: '?ref=letter', headers: { [name]: value } }
    expect(await linnet.visit(link, visit)).toMatchObject({
      location: 'https://example.com/letter',
    })
    expect(await counted()).toEqual({})
  })

  it('are not counted for HEAD', async () => {
    await linnet.visit(link, { method: 'HEAD', headers: onPhone })
    expect(await counted()).toEqual({})
  })
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { definePlugin, type Plugin, type Visit } from '../../../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const leavingOut = (feature: Plugin['feature'], counts: (visit: Visit) => boolean): Plugin =>
  definePlugin({ feature, about: 'Leave some visits out.', unstable: { counts } })

const inGerman = { headers: { 'accept-language': 'de' } }
const office = { ip: '192.0.2.1' }
const ownOffice = leavingOut('b.office', ({ ip }) => ip !== office.ip)

async function totalOf({ id }: ShownLink): Promise<number> {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}

/** Plugins that count, and what asks them; each visit that one was asked about is noted by user agent. */
async function bootAsking(...others: readonly string[]) {
  const asked: string[] = []
  const asking = leavingOut('b.asking', ({ userAgent }) => {
    asked.push(userAgent)
    return true
  })
  linnet = await boot(['analytics.visitsTracking', ...others, asking])
  return asked
}
const as = (userAgent: string, headers = {}) => ({
  headers: { 'user-agent': userAgent, ...headers },
})

it('a visit that a plugin leaves out is in no number, and nobody is told of it', async () => {
  const told: number[] = []
  const hearing = definePlugin({
    feature: 'c.hearing',
    about: 'Hear of visits.',
    on: { visited: all => void told.push(...all.map(({ visits }) => visits)) },
  })
  linnet = await boot(['analytics.visitsByLanguage', ownOffice, hearing])
  const link = await linnet.create()
  for (const ip of [office.ip, '203.0.113.7', office.ip])
    await linnet.visit(link, { ip, ...inGerman })
  expect(await totalOf(link)).toBe(1)
  expect((await linnet.counts(link)).visitsByLanguage).toEqual({ de: 1 })
  await linnet.settled()
  expect(told).toEqual([1])
})

it('a visit that is left out uses up a limited link all the same', async () => {
  linnet = await boot(['analytics.visitsTracking', 'link.linkExpiration', ownOffice])
  const link = await linnet.create({ maxVisits: 1 })
  expect((await linnet.visit(link, office)).status).toBe(302)
  expect((await linnet.visit(link, office)).status).not.toBe(302)
  expect(await totalOf(link)).toBe(0)
})

it('the first plugin that leaves a visit out decides', async () => {
  const asked: string[] = []
  const asking = leavingOut('c.asking', ({ ip }) => {
    asked.push(ip)
    return true
  })
  linnet = await boot(['analytics.visitsTracking', ownOffice, asking])
  const link = await linnet.create()
  await linnet.visit(link, office)
  await linnet.visit(link, { ip: '203.0.113.7' })
  expect(await totalOf(link)).toBe(1)
  expect(asked).toEqual(['203.0.113.7'])
})

it('plugins are asked about robots, and about visitors who ask not to be tracked', async () => {
  const asked = await bootAsking()
  const link = await linnet.create()
  await linnet.visit(link, as('Googlebot/2.1'))
  await linnet.visit(link, as('shy', { 'sec-gpc': '1' }))
  await totalOf(link)
  expect(asked).toEqual(['Googlebot/2.1', 'shy'])
})

it('plugins are not asked about what is not counted anyway', async () => {
  const asked = await bootAsking('link.linkPreview')
  const link = await linnet.create()
  await linnet.visit(link, { method: 'HEAD' })
  await linnet.visit(link, as('ahead', { 'sec-purpose': 'prefetch' }))
  await linnet.visit(`${link.shortCode}+`)
  await linnet.visit('nowhere')
  await totalOf(link)
  expect(asked).toEqual([])
})

it('plugins are asked when the visitor has the response', async () => {
  let response: ServerResponse | undefined
  const ended: unknown[] = []
  const note = (message: unknown) => {
    response = (message as { response: ServerResponse }).response
  }
  const watching = leavingOut('b.watching', () => {
    ended.push(response?.writableFinished)
    return true
  })
  linnet = await boot(['analytics.visitsTracking', watching])
  const { shortCode } = await linnet.create()
  const port = await linnet.app.server.listen(0, '127.0.0.1')
  subscribe('http.server.request.start', note)
  const url = `http://127.0.0.1:${port}/${shortCode}`
  for (let visit = 0; visit < 2; visit += 1) await fetch(url, { redirect: 'manual' })
  unsubscribe('http.server.request.start', note)
  await linnet.app.recorder.catchUp()
  expect(ended).toEqual([true, true])
})

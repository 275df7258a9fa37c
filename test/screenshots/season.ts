import { startedAt } from '../browser/dashboard/clock.ts'
import { visit, worldly } from '../browser/dashboard/visit.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { type Server, serve } from '../e2e/server.ts'
import { type Chance, createChance } from './chance.ts'
import { networks, somebody } from './crowd.ts'
import { fillInstance, links, makeLinks } from './theatre.ts'

/** The date in the pictures, a Friday evening, whenever they are taken. */
export const now = new Date('2026-11-20T18:20:00Z')

const days = 60
const dayMs = 86_400_000

/** The visits of each day are from the afternoon. */
const earlierMs = 5 * 3_600_000

/** The share of an average day for each weekday, Sunday first. */
const week = [0.8, 0.75, 0.85, 0.95, 1.05, 1.25, 1.35] as const

/** A data folder after two months of real visits over HTTP, with a new server for each day. */
export async function liveThroughSeason(): Promise<string> {
  const dataDir = temporaryFolder()
  const env = worldly(networks)
  const chance = createChance(1)
  const moment = (daysAgo: number) => new Date(now.getTime() - earlierMs - daysAgo * dayMs)

  const first = await serve({ dataDir, env: { ...env, ...startedAt(moment(days)) } })
  const order = await fillInstance(first)
  await first.kill('SIGTERM')
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo--) {
    const server = await serve({ dataDir, env: { ...env, ...startedAt(moment(daysAgo)) } })
    await makeLinks(server, daysAgo, order)
    await visitFor(server, moment(daysAgo), daysAgo, chance)
    await server.kill('SIGTERM')
  }
  return dataDir
}

/** The visits of a day: more as the tour goes on, and at weekends. */
async function visitFor(server: Server, day: Date, daysAgo: number, chance: Chance): Promise<void> {
  const busy = (week[day.getUTCDay()] ?? 1) * (1.2 - daysAgo / 100)
  for (const { short_code, visitsADay, madeDaysAgo, more } of links) {
    const isOver = more && 'expires_at' in more && new Date(String(more.expires_at)) < day
    if (isOver || madeDaysAgo < daysAgo) continue
    const crowd = Array.from({ length: chance.about(visitsADay * busy) }, () => somebody(chance))
    await Promise.all(crowd.map(visitor => visit(server, short_code, visitor)))
  }
}

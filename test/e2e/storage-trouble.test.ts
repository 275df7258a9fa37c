import { execFileSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectVisits } from './counted.ts'
import { holdWriteLock, visitUntil } from './crash.ts'
import { createLink, type Server, serve } from './server.ts'
import { sendVisitors, type Visitors } from './visitors.ts'

const draft = { original_url: 'https://example.com/' }
const unavailable = { status: 503, body: { code: 'unavailable' } }

itAtNight(
  'a server redirects while someone else holds the write lock, and counts every visit afterwards',
  async () => {
    const { server, id, visitors } = await visitedServer()
    const letGo = holdWriteLock(server)

    expect(await server.api('POST', '/links', draft)).toMatchObject(unavailable)
    await untilNoteOnVisits(
      server,
      /^Visits cannot be written: database is locked\. \d+ are waiting\./,
    )
    await untilMoreAnswers(visitors)

    letGo()
    await untilWell(server, id, visitors)
  },
)

itAtNight('follows links for the first time while a write waits for that lock', async () => {
  const server = await serve()
  const links = await Promise.all(Array.from({ length: 10 }, () => createLink(server)))
  holdWriteLock(server)

  // Whichever comes first: a write waits for seconds before it is refused.
  const refused = server.api('POST', '/links', draft)
  const followed = Promise.all(links.map(({ shortCode }) => server.get(`/${shortCode}`)))
  const first = [await Promise.race([refused, followed])].flat()
  expect(first.map(({ status }) => status)).toEqual(links.map(() => 302))
  expect(await refused).toMatchObject(unavailable)
})

itAtNight('keeps nobody waiting for the turn of others that wait for that lock', async () => {
  const server = await serve()
  holdWriteLock(server)
  const order: string[] = []
  const write = async (which: string) => {
    expect(await server.api('POST', '/links', draft)).toMatchObject(unavailable)
    order.push(which)
  }
  // Each is refused five seconds after it was asked; one after another, the last would be after 25.
  const atOnce = Array.from({ length: 5 }, () => write('at once'))
  await Promise.race(atOnce)
  await Promise.all([...atOnce, write('later')])
  expect(order).toEqual([...Array(5).fill('at once'), 'later'])
})

it.skipIf(!canLimitFiles())(
  'a server redirects while nothing can be written to the disk, and counts every visit afterwards',
  async () => {
    const { server, id, coldCode, visitors } = await visitedServer()
    limitFiles(server, '4096')

    expect(await server.api('POST', '/links', draft)).toMatchObject(unavailable)
    await untilNoteOnVisits(
      server,
      /^Visits cannot be written: disk I\/O error\. \d+ are waiting\./,
    )
    expect((await server.get(`/${coldCode}`)).status).toBe(302)
    expect((await server.api('GET', `/links/${id}`)).status).toBe(200)
    await untilMoreAnswers(visitors)

    limitFiles(server, 'unlimited')
    await untilWell(server, id, visitors)
  },
)

itAtNight(
  'a server says how many visits are lost when it must stop and cannot write them',
  async () => {
    const counted = await visitUntil('SIGTERM', 500, { lockIsHeld: true })
    expect(counted.exit).toEqual({ code: 1, signal: null })
    const [, lost] =
      /^(\d+) visits could not be written and are lost\.$/m.exec(counted.stderr) ?? []
    expect(Number(lost)).toBeGreaterThan(0)
    expect(counted.stored + Number(lost)).toBe(counted.answered)
  },
)

/** A server that gets visits all the time, and a link that nobody follows. */
async function visitedServer() {
  const server = await serve()
  const { id, shortCode } = await createLink(server)
  const { shortCode: coldCode } = await createLink(server)
  const visitors = sendVisitors(`${server.url}/${shortCode}`)
  onTestFinished(() => visitors.stop())
  await expect.poll(() => visitors.answeredAt.length).toBeGreaterThan(0)
  return { server, id, coldCode, visitors }
}

/** Waits for redirects that began after writing became impossible: they do not wait for it. */
async function untilMoreAnswers({ answeredAt }: Visitors): Promise<void> {
  const before = answeredAt.length
  await expect.poll(() => answeredAt.length).toBeGreaterThan(before + 100)
}

async function untilNoteOnVisits(server: Server, note: RegExp): Promise<void> {
  const noted = async () => (await server.get('/health/ready')).body.checks.visits.note
  await expect.poll(noted).toMatch(note)
}

async function untilWell(server: Server, id: string, visitors: Visitors): Promise<void> {
  expect((await server.api('POST', '/links', draft)).status).toBe(201)
  await visitors.stop()
  await expectVisits(server, id, visitors.answeredAt.length)

  expect(visitors.otherwise).toEqual([])
  const { body } = await server.get('/health/ready')
  expect(body.status).toBe('ok')
  // The note may also tell the age of the places file.
  expect(`${body.checks.visits.note}`).not.toContain('wait')
}

/**
 * Limits the size of files, so that writing fails as on a full disk:
 * https://man7.org/linux/man-pages/man1/prlimit.1.html
 */
function limitFiles({ pid }: Server, bytes: string): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`])
}

function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'])
    return true
  } catch {
    return false
  }
}

import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Context,
  definePlugin,
  endpoint,
  isRefusal,
  type Notice,
  z,
} from '../../../core/plugin.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import mail from '../../../plugins/organization/mail.ts'
import notices from '../../../plugins/organization/notices.ts'
import tags from '../../../plugins/organization/tags.ts'
import { boot, type Harness } from '../../harness.ts'
import { readMail } from './mail/read-mail.ts'
import { startMailServer } from './mail/start-mail-server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Tells what other plugins would. */
let told: { readonly kind: string; readonly after: Readonly<Record<string, string>> }
let said: Notice
let moods = 0
const teller = definePlugin({
  feature: 'acme.teller',
  about: 'Tell things in a test.',
  limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } },
  translations: { de: { Moods: 'Stimmungen' } },
  usage: { moodsCount: () => moods },
  unstable: { tells: ['deadLink', 'webhook', 'import'] },
  endpoints: {
    'POST /tell': endpoint({
      summary: 'Tell the next thing',
      scope: 'links:read',
      status: 204,
      async handle({ caller: { accountId } }, { unstable }) {
        const { kind, after } = told
        const what = kind === 'deadLink' ? 'created' : 'updated'
        await unstable.tell(kind, () => ({ what, accountId, before: null, after }))
      },
    }),
    'POST /say': endpoint({
      summary: 'Send the next notice',
      scope: 'links:read',
      answer: z.strictObject({ data: z.string() }),
      async handle(_, { unstable }) {
        const taken = await unstable.notices.send(said)
        return { data: isRefusal(taken) ? taken.code : `${taken}` }
      },
    }),
  },
})

/** What the plugin gets, to run its job as several servers do. */
const contexts: Context[] = []
const watched = {
  ...notices,
  setup(context: Context) {
    contexts.push(context)
    return notices.setup?.({ ...context, state: undefined })
  },
}

const plugins = [mail, watched, linkExpiration, tags, visitsTracking, teller]

/** Linnet at half past six in the evening of Friday, 20 November 2026 in Berlin. */
async function start(options: SMTPServerOptions = {}, own: object = {}, plan = 'unlimited') {
  const server = await startMailServer(options)
  let clock = Date.parse('2026-11-20T17:30:00Z')
  const linnet = await boot(plugins, {
    plan,
    at: new Date(clock).toISOString(),
    env: { LINNET_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off` },
    settings: {
      plugins: {
        settings: {
          'organization.mail': { sender: 'links@example.org' },
          'organization.notices': { timeZone: 'Europe/Berlin', ...own },
        },
      },
    },
  })
  onTestFinished(() => linnet.stop())
  let now: Harness = linnet
  const it = {
    ...server,
    api: (...call: Parameters<Harness['api']>) => now.api(...call),
    linnet: () => now,
    async restart() {
      now = await now.restart(plugins)
    },
    later(ms: number) {
      clock += ms
      now.at(new Date(clock).toISOString())
    },
    at(time: string) {
      clock = Date.parse(time)
      now.at(time)
    },
    /** Runs the jobs, as they do by themselves, and says what came. */
    async sends() {
      const before = server.taken.length
      await now.run('link.linkExpiration.tellEndings')
      await now.settled()
      for (const job of ['limits', 'week', 'send']) await now.run(`organization.notices.${job}`)
      return server.taken.slice(before).map(({ message }) => readMail(message))
    },
    async tell(kind: string, after: Readonly<Record<string, string>>) {
      told = { kind, after }
      expect((await now.api('POST', '/tell')).status).toBe(204)
      await now.settled()
    },
    choose: async (change: object) => (await now.api('PATCH', '/notice-settings', change)).status,
  }
  return it
}

const inDays = (days: number) => new Date(Date.parse('2026-11-20T17:30:00Z') + days * day)

describe('notices', () => {
  it('say in one mail in the morning which links end soon, each once, and load nothing', async () => {
    const it = await start()
    const create = (expiresAt: Date, title: string) =>
      it.linnet().create({ title, expiresAt: expiresAt.toISOString() })
    // Whoever chooses an end of tomorrow knows it.
    await create(inDays(1), 'Short')
    for (let n = 1; n <= 30; n += 1) await create(inDays(5), `Sale <${n}>`)
    const moved = await create(inDays(5), 'Moved')
    it.later(2 * day + hour)
    expect(await it.sends()).toEqual([])
    await it.api('PATCH', `/links/${moved.id}`, { expiresAt: inDays(90).toISOString() })
    it.at('2026-11-23T07:05:00Z')
    const [mail, ...others] = await it.sends()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('30 links end soon')
    expect(mail?.text).toContain('Sale <1> (https://go.example.org/')
    expect(mail?.text).toContain('Ends on 25 November 2026 at 18:30')
    expect(mail?.text).toContain('And 5 more.')
    expect(mail?.text).not.toMatch(/Short|Moved/)
    expect(mail?.html).toContain('Sale &lt;1&gt;')
    expect(mail?.html).not.toMatch(/<img|<script|<link|url\(|@import/i)
    it.later(day)
    expect(await it.sends()).toEqual([])
    await it.restart()
    it.later(day)
    expect(await it.sends()).toEqual([])
  })

  it('say that the visits of a link are nearly used', async () => {
    const it = await start()
    const link = await it.linnet().create({ title: 'Tickets', maxVisits: 10 })
    for (let n = 0; n < 9; n += 1) await it.linnet().visit(link)
    await it.sends()
    it.at('2026-11-21T07:00:00Z')
    const [mail] = await it.sends()
    expect(mail).toMatchObject({
      subject: 'A link ends soon',
      text: expect.stringContaining('One visit is left'),
    })
  })

  it('end by one click without a sign-in, by which a look at the address changes nothing', async () => {
    const it = await start()
    await it.tell('webhook', { host: 'a.example', isOn: false as never, offBecause: 'gone' })
    it.later(6 * minute)
    const [mail] = await it.sends()
    expect(mail?.text).toContain('It answered 410')
    const header = mail?.headers['list-unsubscribe'] ?? ''
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text).toContain(`End these mails: ${header.slice(1, -1)}`)
    const { pathname, search } = new URL(header.slice(1, -1))
    const open = (visit: object) =>
      it.linnet().visit(pathname.slice(1), { query: search, ...visit })
    const isOn = async () => (await it.api('GET', '/notice-settings')).body.data.webhooks

    const asked = await open({ headers: { 'accept-language': 'de' } })
    expect(asked.text).toContain('Keine Mails mehr über abgeschaltete Webhooks?')
    await open({ method: 'HEAD' })
    expect(await isOn()).toBe(true)
    const forged = search.slice(0, -2) + (search.endsWith('AA') ? 'BB' : 'AA')
    const answers = { 'List-Unsubscribe': 'One-Click' }
    expect((await open({ query: forged, answers })).status).toBe(404)
    expect(await isOn()).toBe(true)
    expect((await open({ answers })).status).toBe(200)
    expect(await isOn()).toBe(false)
    await it.tell('webhook', { host: 'b.example', isOn: false as never, offBecause: 'gone' })
    it.later(2 * hour)
    expect(await it.sends()).toEqual([])

    await it.api('PATCH', '/notice-settings', { webhooks: true })
    expect(await isOn()).toBe(true)
    expect((await open({ method: 'POST', ...inParts(answers) })).status).toBe(200)
    expect(await isOn()).toBe(false)
  })

  it('go later where the server puts them off or is down, and then once', async () => {
    let answer: number | undefined = 451
    const it = await start({
      onRcptTo: (_, __, done) =>
        done(
          answer === undefined
            ? undefined
            : Object.assign(new Error('No'), { responseCode: answer }),
        ),
    })
    await it.choose({ timeZone: 'UTC' })
    await it.tell('import', {
      source: 'bitly',
      state: 'done',
      made: '3',
      refused: '0',
      visits: '7',
    })
    it.later(2 * minute)
    expect(await it.sends()).toEqual([])
    it.later(minute)
    answer = undefined
    expect(await it.sends()).toEqual([])
    it.later(30 * minute)
    const [mail, ...others] = await it.sends()
    expect(mail).toMatchObject({
      subject: 'An import is finished',
      text: expect.stringContaining('Links made: 3; refused: 0; visits: 7'),
    })
    expect(others).toEqual([])

    await it.close()
    await it.tell('import', { source: 'dub', state: 'done', made: '1', refused: '0', visits: '0' })
    it.later(2 * hour)
    expect(await it.sends()).toEqual([])
    it.later(2 * hour)
    const { body } = await it.api('GET', '/admin/doctor')
    expect(JSON.stringify(body)).toContain('1 notices wait for more than an hour')
    const again = await startMailServer({}, it.port)
    await it.sends()
    expect(again.taken).toHaveLength(1)
  })

  it('wait for no time that a clock noted that was ahead', async () => {
    const it = await start()
    const done = { state: 'done', made: '0', refused: '0', visits: '0' }
    await it.tell('import', { source: 'first', ...done })
    const tables = ['organization_notices_news', 'organization_notices_mails'] as const
    /** As of a server whose clock was a day ahead when it noted all there is. */
    const ahead = async () => {
      const db = it.linnet().db
      const at = Date.parse('2026-11-20T17:30:00Z') + day
      await db
        .updateTable(tables[0] as never)
        .set({ at } as never)
        .execute()
      await db
        .updateTable(tables[1] as never)
        .set({ due_at: at, created_at: at } as never)
        .execute()
    }
    await ahead()
    expect(await it.sends()).toHaveLength(1)
    await it.tell('import', { source: 'second', ...done })
    await ahead()
    expect(await it.sends()).toHaveLength(1)
    await it
      .linnet()
      .db.updateTable(tables[1] as never)
      .set({ state: 'waiting' } as never)
      .execute()
    await ahead()
    expect(await it.sends()).toHaveLength(2)
    await it
      .linnet()
      .db.updateTable(tables[1] as never)
      .set({ state: 'sending' } as never)
      .execute()
    await ahead()
    expect(await it.sends()).toEqual([])
    const mails = await it
      .linnet()
      .db.selectFrom(tables[1] as never)
      .select('state' as never)
      .execute()
    expect(mails).toEqual([{ state: 'uncertain' }, { state: 'uncertain' }])
  })

  it('hold up no others while one of them cannot be written', async () => {
    const it = await start()
    await it.choose({ weekly: true })
    const news = 'organization_notices_news' as never
    const broken = { account_id: it.linnet().account.rowId, kind: 'weekly', about: 'x', at: 0 }
    await it
      .linnet()
      .db.insertInto(news)
      .values({ ...broken, says: '{"monday":"no day"}' } as never)
      .execute()
    await it.tell('import', {
      source: 'x',
      state: 'done',
      made: '0',
      refused: '0',
      visits: '0',
    })
    it.later(2 * minute)
    expect((await it.sends()).map(({ subject }) => subject)).toEqual(['An import is finished'])
    expect(it.linnet().log.join('\n')).toContain('A notice could not be written')
  })

  it('stop for an address that the server does not take, which people and admins see, until a test arrives', async () => {
    let isTaken = false
    const it = await start({
      onRcptTo: (_, __, done) =>
        done(isTaken ? undefined : Object.assign(new Error('No such user'), { responseCode: 550 })),
    })
    const failing = () =>
      it.tell('import', { source: 'x', state: 'failed', made: '0', refused: '0', visits: '0' })
    await failing()
    it.later(2 * minute)
    await it.sends()
    const shown = async () => (await it.api('GET', '/notice-settings')).body.data
    expect(await shown()).toMatchObject({ refused: expect.stringContaining('550 No such user') })
    const health = async () => JSON.stringify((await it.api('GET', '/admin/doctor')).body)
    expect(await health()).toContain(`get no notices: ${it.linnet().account.id}`)
    expect(it.linnet().log.join('\n')).toContain('does not take the address of an account')
    isTaken = true
    await failing()
    it.later(2 * hour)
    expect(await it.sends()).toEqual([])
    expect((await it.api('POST', '/notice-settings/test')).status).toBe(204)
    expect(readMail(it.taken[0]?.message ?? '').subject).toBe('A test of Linnet')
    expect(await shown()).toMatchObject({ refused: null })
    expect(await health()).not.toContain('get no notices')
    await failing()
    it.later(2 * hour)
    expect((await it.sends()).map(({ subject }) => subject)).toEqual(['An import has stopped'])
  })

  it('go once if two servers send at the same moment, and not again if one was killed while it sent', async () => {
    const it = await start()
    await it.tell('import', { source: 'x', state: 'done', made: '0', refused: '0', visits: '0' })
    it.later(2 * minute)
    const onServer = async () => notices.jobs?.send?.run(contexts.at(-1) as Context)
    await Promise.all([onServer(), onServer(), onServer()])
    expect(it.taken).toHaveLength(1)
    const mails = 'organization_notices_mails' as never
    // As a kill leaves it.
    await it
      .linnet()
      .db.updateTable(mails)
      .set({ state: 'sending' } as never)
      .execute()
    await it.restart()
    it.later(10 * minute)
    expect(await it.sends()).toEqual([])
    const rows = await it.linnet().db.selectFrom(mails).selectAll().execute()
    expect(rows).toMatchObject([{ state: 'uncertain', attempts: 1 }])
  })

  it('say once a month that a limit of the plan is nearly reached, and once that it is', async () => {
    const it = await start({}, {}, 'free')
    const tag = (name: string) => it.api('POST', '/tags', { name })
    for (const name of ['a', 'b', 'c']) await tag(name)
    expect(await it.sends()).toEqual([])
    await tag('d')
    await it.sends()
    it.later(10 * minute)
    const [nearly] = await it.sends()
    expect(nearly).toMatchObject({
      subject: 'A limit of your plan is nearly reached',
      text: expect.stringContaining('Tags\n4 of 5'),
    })
    await tag('e')
    await it.sends()
    // It is evening by now: mails that can wait do not come at night.
    it.later(2 * hour)
    expect(await it.sends()).toEqual([])
    it.at('2026-11-21T08:00:00Z')
    const [reached, ...others] = await it.sends()
    expect(reached?.subject).toBe('A limit of your plan is reached')
    expect(others).toEqual([])
    it.later(2 * day)
    expect(await it.sends()).toEqual([])
  })

  it('say the same of a limit that another plugin brings, as it calls it in their language', async () => {
    const it = await start({}, { language: 'de' }, 'free')
    const limits = { maxMoods: 5 }
    expect((await it.api('PATCH', '/admin/plans/free', { limits })).status).toBe(200)
    moods = 3
    expect(await it.sends()).toEqual([])
    moods = 5
    await it.sends()
    it.later(10 * minute)
    expect(await it.sends()).toMatchObject([
      {
        subject: 'Eine Grenze deines Tarifs ist erreicht',
        text: expect.stringContaining('Stimmungen\n5 von 5'),
      },
    ])
  })

  it('bring the numbers of the week on Monday morning to those who ask for them, in their language and time zone', async () => {
    const it = await start()
    const link = await it.linnet().create({ title: 'Frühling' })
    const visit = async (times: number) => {
      for (let n = 0; n < times; n += 1)
        await it.linnet().visit(link, {
          headers: {
            'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
          },
        })
      await it.linnet().counts(link)
    }
    it.at('2026-11-12T12:00:00Z')
    await visit(2)
    it.at('2026-11-19T12:00:00Z')
    await visit(3)
    it.at('2026-11-23T09:00:00Z')
    expect(await it.sends()).toEqual([])
    expect(await it.choose({ weekly: true, language: 'de', timeZone: 'America/New_York' })).toBe(
      200,
    )
    expect(await it.sends()).toEqual([])
    it.at('2026-11-23T13:10:00Z')
    const [mail, ...others] = await it.sends()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Deine Links in der letzten Woche: 3 Besuche')
    expect(mail?.text).toContain(
      '3 Besuche vom 16. November bis zum 22. November. 50 % mehr als in der Woche davor.',
    )
    expect(mail?.text).toContain('Frühling (https://go.example.org/')
    expect(mail?.text).toContain('Besuche: 3; in der Woche davor: 2')
    it.later(3 * hour)
    expect(await it.sends()).toEqual([])
  })

  it('say what other plugins tell an account, and nothing for admins, whom the plugin of mail tells', async () => {
    const it = await start()
    const say = async (to: Notice['to'], title: string) => {
      said = { to, title, text: 'It is so.', level: 'info' }
      return (await it.api('POST', '/say')).body.data
    }
    const { rowId } = it.linnet().account
    expect(await say({ accountId: rowId }, 'First')).toBe('1')
    expect(await say({ accountId: rowId }, 'Second')).toBe('1')
    expect(await say('admins', 'For admins')).toBe('1')
    expect(it.taken).toHaveLength(1)
    it.later(6 * minute)
    const [mail] = await it.sends()
    expect(mail?.subject).toBe('2 messages')
    expect(mail?.text).toContain('First\nIt is so.\n\nSecond\nIt is so.')
    expect(await it.choose({ others: false })).toBe(200)
    expect(await say({ accountId: rowId }, 'Third')).toBe('notices_off')
  })

  it('are nothing where no plugin sends mail, and leave nothing for the day on which one does', async () => {
    const linnet = await boot([notices, linkExpiration, teller], { at: '2026-11-20T17:30:00Z' })
    onTestFinished(() => linnet.stop())
    told = { kind: 'import', after: { source: 'x', state: 'done' } }
    await linnet.api('POST', '/tell')
    await linnet.settled()
    await linnet.run('organization.notices.send')
    const { body } = await linnet.api('GET', '/notice-settings')
    expect(body.data).toMatchObject({ isMailOn: false, endingLinks: true, weekly: false })
    expect((await linnet.api('POST', '/notice-settings/test')).body.code).toBe('mail_off')
    expect(
      await linnet.db
        .selectFrom('organization_notices_news' as never)
        .selectAll()
        .execute(),
    ).toEqual([])
  })

  it('take no time zone and language that there is not', async () => {
    const it = await start()
    expect(await it.choose({ timeZone: 'Europe/Berln' })).toBe(422)
    expect(await it.choose({ language: 'xx' })).toBe(422)
    expect(await it.choose({ timeZone: null, language: null, limits: false })).toBe(200)
    const settings = { timeZone: 'Mars/Base' }
    const { status } = await it.api('PATCH', '/admin/plugins/organization.notices', { settings })
    expect(status).toBe(422)
  })
})

/** A form in parts, as RFC 8058 wants it of mail programs. */
function inParts(answers: Readonly<Record<string, string>>) {
  const fields = Object.entries(answers).map(
    ([name, value]) =>
      `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=part' }
  return { headers, body: `${fields.join('')}--part--\r\n` }
}

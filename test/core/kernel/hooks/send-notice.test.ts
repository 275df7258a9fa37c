import { inject } from 'light-my-request'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type AddressedNotice,
  definePlugin,
  endpoint,
  type Notice,
  type Plugin,
  refuse,
  z,
} from '../../../../core/plugin.ts'
import { boot } from '../../../harness.ts'

/** A plugin that tells people what it is told to. */
let next: Notice
const sender = definePlugin({
  feature: 'acme.sender',
  about: 'Tell people something.',
  endpoints: {
    'GET /tell': endpoint({
      summary: 'Send the next notice',
      scope: 'links:read',
      answer: z.strictObject({ data: z.string() }),
      async handle(_, { unstable }) {
        const taken = await unstable.notices.send(next)
        return { data: typeof taken === 'number' ? `${taken}` : `${taken.code}: ${taken.detail}` }
      },
    }),
  },
})

type Deliver = NonNullable<NonNullable<Plugin['unstable']>['notice']>

const delivering = (name: string, notice: Deliver) =>
  definePlugin({ feature: `acme.${name}`, about: 'Deliver notices.', unstable: { notice } })

/** Takes each notice, and keeps it. */
function keeper(name: string) {
  const kept: AddressedNotice[] = []
  const plugin = delivering(name, notice => {
    kept.push(notice)
    return true
  })
  return { kept, plugin }
}

async function start(...plugins: readonly Plugin[]) {
  const linnet = await boot([...plugins, sender])
  onTestFinished(() => linnet.stop())
  return {
    ...linnet,
    async tell(notice: Notice) {
      next = notice
      return (await linnet.api('GET', '/tell')).body.data as string
    },
  }
}

const blocked: Notice = {
  title: 'A link is blocked',
  text: 'It leads to malware.',
  level: 'warning',
  to: 'admins',
  url: 'https://example.org/health',
}

describe('a notice of a plugin', () => {
  it('reaches every plugin that delivers notices, which learns who sends it and for whom', async () => {
    const [chat, push] = [keeper('chat'), keeper('push')]
    const linnet = await start(chat.plugin, push.plugin)
    const { email } = (await linnet.api('GET', '/profile')).body.data
    expect(await linnet.tell(blocked)).toBe('2')
    const people = [{ accountId: linnet.account.rowId, email }]
    expect(chat.kept).toEqual([{ ...blocked, people, from: 'acme.sender' }])
    expect(push.kept).toEqual(chat.kept)
  })

  it('for admins is for no other account, and for one account is for that alone', async () => {
    const { kept, plugin } = keeper('chat')
    const linnet = await start(plugin)
    const other = { email: 'other@example.org', password: 'correct horse battery' }
    expect((await linnet.api('POST', '/admin/accounts', other)).status).toBe(201)
    const { id } = await linnet.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', other.email)
      .executeTakeFirstOrThrow()
    await linnet.tell(blocked)
    await linnet.tell({ ...blocked, to: { accountId: id } })
    expect(kept.map(({ people }) => people.map(({ accountId }) => accountId))).toEqual([
      [linnet.account.rowId],
      [id],
    ])
    expect(await linnet.tell({ ...blocked, to: { accountId: 99 } })).toMatch(/^notice_invalid: /)
  })

  it('reaches the others where one plugin throws and another refuses, whom log and health name', async () => {
    const { kept, plugin } = keeper('push')
    const linnet = await start(
      delivering('chat', () => {
        throw new Error('The channel is gone')
      }),
      delivering('sms', () => refuse('no_credit', 'There is no credit.', 409)),
      plugin,
    )
    expect(await linnet.tell(blocked)).toBe('1')
    expect(kept).toHaveLength(1)
    expect(linnet.log).toEqual([
      'acme.chat notice failed: The channel is gone',
      'acme.sms notice failed: it refused: There is no credit.',
    ])
    const health = await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
    expect(health.payload).toContain('acme.chat notice failed once')
    expect(health.payload).toContain('acme.sms notice failed once')
  })

  it('counts for nobody where a plugin says that it does not reach these people, and blames nobody', async () => {
    const linnet = await start(delivering('chat', ({ to }) => to !== 'admins'))
    expect(await linnet.tell(blocked)).toMatch(/^notices_off: /)
    expect(await linnet.tell({ ...blocked, to: { accountId: linnet.account.rowId } })).toBe('1')
    expect(linnet.log).toEqual([])
  })

  it('is refused where no plugin delivers notices, and beyond twenty a minute from one plugin', async () => {
    expect(await (await start()).tell(blocked)).toBe(
      'notices_off: No running plugin delivers notices.',
    )
    const { kept, plugin } = keeper('chat')
    const linnet = await start(plugin)
    for (let count = 0; count < 20; count += 1) expect(await linnet.tell(blocked)).toBe('1')
    expect(await linnet.tell(blocked)).toMatch(/^too_many_requests: /)
    expect(kept).toHaveLength(20)
  })

  it.each<[string, Partial<Record<keyof Notice, unknown>>]>([
    ['a title of two lines', { title: 'Hello\r\nBcc: eve@example.org' }],
    ['no text', { text: '' }],
    ['too much text', { text: 'x'.repeat(10_001) }],
    ['a level that there is not', { level: 'fatal' }],
    ['an address that runs a script', { url: 'javascript:alert(1)' }],
    ['people that there are not', { to: 'everybody' }],
    ['another part', { html: '<b>' } as object],
  ])('with %s is refused and goes nowhere', async (_, wrong) => {
    const { kept, plugin } = keeper('chat')
    const linnet = await start(plugin)
    expect(await linnet.tell({ ...blocked, ...wrong } as Notice)).toMatch(/^notice_invalid: /)
    expect(kept).toEqual([])
  })
})

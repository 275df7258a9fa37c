import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  definePlugin,
  endpoint,
  isRefusal,
  type Mail,
  type Notice,
  z,
} from '../../../core/plugin.ts'
import mail from '../../../plugins/organization/mail.ts'
import { itAtNight } from '../../at-night.ts'
import { boot, type Harness } from '../../harness.ts'
import { startMailServer } from './mail/start-mail-server.ts'

/** A plugin that sends what it is told to. */
let next: Mail
const sender = definePlugin({
  feature: 'acme.sender',
  about: 'Send mail.',
  endpoints: {
    'GET /send': endpoint({
      summary: 'Send the next mail',
      scope: 'links:read',
      answer: z.strictObject({ data: z.string() }),
      async handle(_, { unstable }) {
        const refused = await unstable.mail.send(next)
        return { data: refused ? `${refused.code}: ${refused.detail}` : 'sent' }
      },
    }),
  },
})

async function start(url: string, plugins = [mail, sender], from = 'links@example.org') {
  const settings = { plugins: { settings: { 'organization.mail': { sender: from } } } }
  const linnet = await boot(plugins, { env: { LINNET_SMTP_URL: url }, settings })
  onTestFinished(() => linnet.stop())
  return {
    ...linnet,
    async send(mail: Mail) {
      next = mail
      return (await linnet.api('GET', '/send')).body.data as string
    },
  }
}

const hello = { to: 'ada@example.org', subject: 'Hällo', text: 'Line one\n.line two\n' }

describe('mail of plugins', () => {
  it('reaches the mail server as it was written, and says that a program sent it', async () => {
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send(hello)).toBe('sent')
    expect(taken).toEqual([
      { from: 'links@example.org', to: ['ada@example.org'], message: expect.any(String) },
    ])
    const message = taken[0]?.message ?? ''
    expect(message).toMatch(/^From: Linnet <links@example\.org>\r$/m)
    expect(message).toMatch(/^Subject: =\?UTF-8\?Q\?H=C3=A4llo\?=\r$/m)
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(message).toMatch(/\r\n\r\nLine one\r\n\.line two\r\n$/)
  })

  it('reaches the address of an account, for which an admin can test it', async () => {
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    const { email } = (await linnet.api('GET', '/profile')).body.data
    expect(await linnet.send({ ...hello, to: { accountId: linnet.account.rowId } })).toBe('sent')
    expect((await linnet.api('POST', '/test-mails')).status).toBe(204)
    expect(taken.map(({ to }) => to)).toEqual([[email], [email]])
    expect(taken[1]?.message).toContain('Linnet can send mail')
    expect(await linnet.send({ ...hello, to: { accountId: 99 } })).toMatch(/no such account/)
  })

  it('has a part as HTML, and a button of mail programs that ends it, if the plugin says so', async () => {
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    const unsubscribeUrl = 'https://go.example.org/api/end?of=x'
    expect(await linnet.send({ ...hello, html: '<p>Line one</p>', unsubscribeUrl })).toBe('sent')
    const message = taken[0]?.message ?? ''
    expect(message).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(message).toContain('<p>Line one</p>')
    expect(message).toContain(`List-Unsubscribe: <${unsubscribeUrl}>\r\n`)
    expect(message).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
  })

  it.each<[string, Partial<Record<keyof Mail, unknown>>]>([
    ['a subject of two lines', { subject: 'Hello\r\nBcc: eve@example.org' }],
    ['an address of two', { to: 'ada@example.org, eve@example.org' }],
    ['an address with a name', { to: 'Ada <ada@example.org>' }],
    ['no text', { text: '' }],
    ['too much text', { text: 'x'.repeat(100_001) }],
    ['another part', { amp: '<b>' } as object],
    [
      'an address to end it that begins another header',
      { unsubscribeUrl: 'https://a.example/\r\nX: y' },
    ],
  ])('with %s is refused and goes nowhere', async (_, wrong) => {
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send({ ...hello, ...wrong } as Mail)).toMatch(/^mail_invalid: /)
    expect(taken).toEqual([])
  })

  it('is refused with the reason where the server does not take an address, and blames nobody', async () => {
    const refusing = { responseCode: 550 }
    const { port } = await startMailServer({
      onRcptTo: (_, __, done) => done(Object.assign(new Error('No such user'), refusing)),
    })
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send(hello)).toBe(
      'mail_refused: The mail server does not take this mail: 550 No such user',
    )
    expect(linnet.log.join('\n')).not.toContain('organization.mail mail failed')
  })

  it('is refused for now where the server puts it off', async () => {
    const { port } = await startMailServer({
      onRcptTo: (_, __, done) => done(Object.assign(new Error('Later'), { responseCode: 451 })),
    })
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send(hello)).toBe(
      'mail_put_off: The mail server puts this mail off: 451 Later',
    )
    expect(linnet.log.join('\n')).not.toContain('organization.mail mail failed')
  })

  it('is not sent again by itself if the server has had it and closes the connection without an answer', async () => {
    const taken: string[] = []
    let leave = () => undefined as unknown
    const { port, server } = await startMailServer({
      async onData(stream) {
        taken.push(await text(stream))
        leave()
      },
    })
    server.server.on('connection', socket => {
      leave = () => socket.destroy()
    })
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send(hello)).toMatch(/^mail_uncertain/)
    expect(taken).toHaveLength(1)
  })

  it('fails while the server is down, names the plugin in the log, and goes on after that', async () => {
    const { port, close } = await startMailServer()
    await close()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    expect(await linnet.send(hello)).toMatch(/^mail_failed/)
    expect(linnet.log.join('\n')).toMatch(/organization\.mail mail failed: .*ECONNREFUSED/)
    const { taken } = await startMailServer({}, port)
    expect(await linnet.send(hello)).toBe('sent')
    expect(taken).toHaveLength(1)
  })

  itAtNight(
    'is given up where the server says nothing, or nothing more once it has the mail',
    async () => {
      const silent = createServer(() => undefined)
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      onTestFinished(() => void silent.close())
      const never = await start(
        `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}?tls=off`,
      )
      const { port } = await startMailServer({ onData: stream => void stream.resume() })
      const noMore = await start(`smtp://127.0.0.1:${port}?tls=off`)
      const [first, second] = await Promise.all([never.send(hello), noMore.send(hello)])
      expect([first, second]).toEqual([
        expect.stringMatching(/^mail_failed/),
        expect.stringMatching(/^mail_uncertain/),
      ])
    },
  )

  it('does not go over a connection without TLS unless the URL says so, and neither does the password', async () => {
    const seen: string[] = []
    const { taken, port } = await startMailServer({
      onAuth: ({ username }, _, done) => {
        seen.push(String(username))
        done(null, { user: username })
      },
    })
    const linnet = await start(`smtp://ada%40example.org:secret@127.0.0.1:${port}`)
    expect(await linnet.send(hello)).toMatch(/^mail_failed/)
    expect([seen, taken]).toEqual([[], []])
    const plain = await start(`smtp://ada%40example.org:secret@127.0.0.1:${port}?tls=off`)
    expect(await plain.send(hello)).toBe('sent')
    expect(seen).toEqual(['ada@example.org'])
  })

  it('is refused where no plugin sends it, and beyond sixty a minute from one plugin', async () => {
    const without = await start('', [sender])
    expect(await without.send(hello)).toMatch(/^mail_off/)
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`)
    for (let count = 0; count < 60; count += 1) expect(await linnet.send(hello)).toBe('sent')
    expect(await linnet.send(hello)).toMatch(/^too_many_requests/)
    expect(taken).toHaveLength(60)
  })

  it('has no sender and no name with control characters', async () => {
    const linnet = await start('smtp://127.0.0.1?tls=off')
    const change = async (settings: object) =>
      (await linnet.api('PATCH', '/admin/plugins/organization.mail', { settings })).status
    expect(await change({ sender: 'links@ex\u00e4mple.org', name: 'Hällo \ud83c\udf6a' })).toBe(200)
    for (const odd of ['\u0000', '\u0007', '\r\n', '\u001b', '\u007f', '\u0085']) {
      expect(await change({ sender: `li${odd}nks@example.org` })).toBe(422)
      expect(await change({ sender: `links@example${odd}.org` })).toBe(422)
      expect(await change({ name: `Lin${odd}net` })).toBe(422)
    }
  })

  it('is refused without a server or a sender, with what is to be set', async () => {
    for (const [url, says] of [
      ['', 'LINNET_SMTP_URL is not set'],
      ['smtp://127.0.0.1', 'Set the sender'],
      ['smtp://links%07%40example.org:x@127.0.0.1', 'Set the sender'],
    ] as const) {
      const env = url === '' ? {} : { LINNET_SMTP_URL: url }
      const linnet = await boot([mail], { env })
      onTestFinished(() => linnet.stop())
      expect(await linnet.api('POST', '/test-mails')).toMatchObject({
        status: 409,
        body: { code: 'mail_off', detail: expect.stringContaining(says) },
      })
    }
  })
})

/** What a plugin tells people, and what became of it. */
let told: Notice
const teller = definePlugin({
  feature: 'acme.teller',
  about: 'Tell people something.',
  endpoints: {
    'GET /tell': endpoint({
      summary: 'Send the next notice',
      scope: 'links:read',
      answer: z.strictObject({ data: z.string() }),
      async handle(_, { unstable }) {
        const taken = await unstable.notices.send(told)
        return { data: isRefusal(taken) ? taken.code : `${taken}` }
      },
    }),
  },
})

const blocked: Notice = {
  ...{ title: 'A link is blocked', text: 'It leads to malware.', level: 'warning' },
  ...{ to: 'admins', url: 'https://example.org/health' },
}

describe('notices by mail', () => {
  it('reach the address of each admin, and not those of single accounts', async () => {
    const { taken, port } = await startMailServer()
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`, [mail, teller])
    const { email } = (await linnet.api('GET', '/profile')).body.data
    await addAdmin(linnet)
    told = blocked
    expect((await linnet.api('GET', '/tell')).body.data).toBe('1')
    expect(taken.map(({ to }) => to).sort()).toEqual([[email], [second.email]].sort())
    const message = taken[0]?.message ?? ''
    expect(message).toMatch(/^Subject: A link is blocked\r$/m)
    expect(message).toMatch(
      /\r\n\r\nIt leads to malware\.\r\n\r\nhttps:\/\/example\.org\/health\r\n$/,
    )
    told = { ...blocked, to: { accountId: linnet.account.rowId } }
    expect((await linnet.api('GET', '/tell')).body.data).toBe('notices_off')
    expect(taken).toHaveLength(2)
  })

  it('reach the other admins where the server does not take one address, and the log says so', async () => {
    const { taken, port } = await startMailServer({
      onRcptTo: ({ address }, _, done) =>
        done(
          address === second.email
            ? Object.assign(new Error('No such user'), { responseCode: 550 })
            : undefined,
        ),
    })
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`, [mail, teller])
    await addAdmin(linnet)
    told = blocked
    expect((await linnet.api('GET', '/tell')).body.data).toBe('1')
    expect(taken).toHaveLength(1)
    expect(linnet.log).toContain('A notice of acme.teller did not reach 1 of 2 people by mail')
  })

  it('are refused while the server is down or not set, and the log says why', async () => {
    const { port, close } = await startMailServer()
    await close()
    told = blocked
    const linnet = await start(`smtp://127.0.0.1:${port}?tls=off`, [mail, teller])
    expect((await linnet.api('GET', '/tell')).body.data).toBe('notices_off')
    expect(linnet.log.join('\n')).toMatch(/organization\.mail notice failed: .*ECONNREFUSED/)
    const without = await boot([mail, teller])
    onTestFinished(() => without.stop())
    expect((await without.api('GET', '/tell')).body.data).toBe('notices_off')
    expect(without.log.join('\n')).toMatch(/organization\.mail notice failed: .*LINNET_SMTP_URL/)
  })
})

const second = { email: 'second@example.org', password: 'correct horse battery' }

async function addAdmin(linnet: Pick<Harness, 'api' | 'db'>): Promise<void> {
  expect((await linnet.api('POST', '/admin/accounts', second)).status).toBe(201)
  const admins = linnet.db.updateTable('accounts').set({ is_admin: 1 })
  await admins.where('email', '=', second.email).execute()
}

import type { SMTPServerOptions } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import mail from '../../../plugins/organization/mail.ts'
import signUp from '../../../plugins/organization/sign-up.ts'
import { boot } from '../../harness.ts'
import { readMail } from './mail/read-mail.ts'
import { startMailServer } from './mail/start-mail-server.ts'

const password = 'four random words here'

async function start(
  own: Record<string, string | number | string[]> = {},
  options: SMTPServerOptions = {},
) {
  const server = await startMailServer(options)
  const linnet = await boot([mail, signUp], {
    env: { LINNET_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off` },
    settings: {
      plugins: {
        settings: {
          'organization.mail': { sender: 'links@example.org' },
          'organization.signUp': own,
        },
      },
    },
  })
  onTestFinished(() => linnet.stop())
  const mails = () => server.taken.map(({ to, message }) => ({ to: to[0], ...readMail(message) }))
  return {
    ...{ linnet, mails },
    ask: (email: string, visit: object = {}) =>
      linnet.visit('sign-up', { answers: { email, continue: 'yes' }, ...visit }),
    /** The mail after so many. */
    async mail(number = 1) {
      await expect.poll(() => server.taken.length).toBe(number)
      return mails()[number - 1]
    },
    accounts: async () =>
      (await linnet.api('GET', '/admin/accounts')).body.data.map(
        ({ email }: { email: string }) => email,
      ),
    state: async () => (await linnet.api('GET', '/admin/sign-ups/state')).body.data,
  }
}

function queryOf(text = ''): string {
  const url = text.match(/https:\/\/go\.example\.org\/sign-up\/confirm\?of=\S+/)?.[0] ?? ''
  return new URL(url).search
}

it('a visitor gets an account with a link in a mail and a password, and a look at the link uses it up not', async () => {
  const { linnet, ask, mail, accounts, state } = await start({ plan: 'free' })
  const asked = await linnet.visit('sign-up', { headers: { 'accept-language': 'de' } })
  expect(asked.text).toContain('Konto anlegen')
  expect((await ask('Eve@Example.com', { headers: { 'accept-language': 'fr' } })).status).toBe(200)
  const { to, subject, text } = (await mail()) ?? {}
  expect([to, subject]).toEqual(['eve@example.com', 'Créez votre compte'])
  expect(await accounts()).toEqual(['ada@example.org'])
  expect(await state()).toEqual({ isOpen: true, waiting: 1, made: 0, most: 100 })

  const query = queryOf(text)
  const open = (answers?: object) =>
    linnet.visit('sign-up/confirm', { query, ...(answers && { answers: answers as never }) })
  expect((await open()).text).toContain('type="password" autocomplete="new-password"')
  await linnet.visit('sign-up/confirm', { query, method: 'HEAD' })
  for (const weak of ['', 'short', 'password1234', 'eve@example.com']) {
    expect((await open({ password: weak, continue: 'yes' })).status, weak).toBe(422)
  }
  expect(await accounts()).toHaveLength(1)
  const made = await open({ password, continue: 'yes' })
  expect(made.text).toContain('https://go.example.org/dashboard/sign-in')
  expect((await open({ password, continue: 'yes' })).status).toBe(410)
  const session = await linnet.api('POST', '/session', { email: 'eve@example.com', password })
  expect(session.body.data).toMatchObject({ isAdmin: false, plan: { slug: 'free' } })
  expect(session.body.data.emailVerifiedAt).not.toBeNull()
  // Signing in replaced the session of the admin.
  linnet.at('2026-11-20T12:01:00Z')
  const { body } = await linnet.api('GET', '/admin/sign-ups')
  expect(body.data).toMatchObject([{ email: 'eve@example.com', plan: 'free' }])
})

it('the answer is the same whether there is an account, and the mail tells only its owner', async () => {
  const { ask, mail, mails } = await start()
  const unknown = await ask('eve@example.com')
  await mail()
  const known = await ask('ada@example.org')
  await mail(2)
  const without = (it: typeof known) => ({
    ...it,
    headers: { ...it.headers, 'x-request-id': '', date: '' },
  })
  expect(without(known)).toEqual(without(unknown))
  expect(mails()[1]).toMatchObject({
    to: 'ada@example.org',
    subject: 'You have an account already',
  })
  expect(mails()[1]?.text).not.toContain('confirm')
})

it('the answer does not wait for the mail server, which gets the mail later if it is away', async () => {
  let isAway = true
  const { linnet, ask, mail, mails } = await start(
    {},
    {
      onRcptTo: (_, __, done) =>
        done(isAway ? Object.assign(new Error('Later'), { responseCode: 451 }) : undefined),
    },
  )
  expect((await ask('eve@example.com')).status).toBe(200)
  await expect.poll(() => linnet.log.join()).toContain('A mail for a sign-up could not be sent')
  expect(mails()).toEqual([])
  isAway = false
  await linnet.run('organization.signUp.send')
  expect((await mail())?.to).toBe('eve@example.com')
})

it('what nobody confirms within a day is gone', async () => {
  const { linnet, ask, mail, state } = await start()
  await ask('eve@example.com')
  const { text } = (await mail()) ?? {}
  linnet.at('2026-11-21T12:00:01Z')
  const query = queryOf(text)
  expect((await linnet.visit('sign-up/confirm', { query })).status).toBe(410)
  await linnet.run('organization.signUp.forget')
  expect(await state()).toMatchObject({ waiting: 0, made: 0 })
})

it('only addresses of allowed domains are taken, if there are any', async () => {
  const { ask, mail, mails } = await start({ domains: ['Example.org', 'example.net'] })
  for (const email of ['eve@example.com', 'eve@sub.example.org', 'eve', 'eve@example.org, x@y.z']) {
    expect((await ask(email)).status, email).toBe(422)
  }
  expect((await ask('eve@example.org')).status).toBe(200)
  expect((await mail())?.to).toBe('eve@example.org')
  expect(mails()).toHaveLength(1)
})

it('a client asks five times an hour, an address gets three mails a day, and all together so many as are set', async () => {
  const { ask, mail, mails } = await start({ mostPerHour: 12 })
  for (let n = 1; n <= 5; n += 1) expect((await ask(`a${n}@example.com`)).status).toBe(200)
  expect((await ask('a6@example.com')).status).toBe(429)
  await mail(5)
  for (let n = 1; n <= 5; n += 1) {
    expect((await ask('one@example.com', { ip: `198.51.100.${n}` })).status).toBe(200)
    await mail(5 + Math.min(n, 3))
  }
  for (let n = 1; n <= 2; n += 1)
    expect((await ask(`b${n}@example.com`, { ip: '192.0.2.1' })).status).toBe(200)
  await mail(10)
  expect((await ask('b3@example.com', { ip: '192.0.2.2' })).status).toBe(429)
  expect(mails()).toHaveLength(10)
})

it('nobody signs up when all accounts are there, no plugin sends mail, or the plan is none', async () => {
  const { linnet, ask, mail } = await start({ most: 1 })
  for (const [number, email] of ['eve@example.com', 'mallory@example.com'].entries()) {
    await ask(email)
    await mail(number + 1)
  }
  const [first, second] = [await mail(2), await mail(2)]
  const confirm = (text = '') =>
    linnet.visit('sign-up/confirm', {
      query: queryOf(text),
      answers: { password, continue: 'yes' },
    })
  expect(first).toEqual(second)
  expect((await confirm(first?.text)).status).toBe(200)
  expect((await linnet.visit('sign-up')).status).toBe(403)

  const without = await boot(signUp)
  onTestFinished(() => without.stop())
  expect((await without.visit('sign-up')).status).toBe(403)
  const odd = await start({ plan: 'gold' })
  expect((await odd.linnet.visit('sign-up')).status).toBe(403)
  const health = JSON.stringify((await odd.linnet.api('GET', '/admin/doctor')).body)
  expect(health).toContain('There is no plan gold')
})

it('the page where people sign in leads there while the plugin is on', async () => {
  const { linnet } = await start()
  const url = async () => (await linnet.api('GET', '/session')).body.data.newAccountUrl
  expect(await url()).toBe('https://go.example.org/sign-up')
  await linnet.api('PATCH', '/admin/plugins/organization.signUp', { enabled: false })
  expect(await url()).toBeNull()
})

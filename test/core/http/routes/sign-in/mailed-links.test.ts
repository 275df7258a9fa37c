import { expect, test } from 'vitest'
import {
  type AddressedMail,
  definePlugin,
  type PasswordRule,
  publicId,
} from '../../../../../core/plugin.ts'
import { browser, codes, email, withBob } from '../../../kernel/hooks/signing-in.ts'

/** A plugin that sends mail, and one that says who may sign in by password. */
async function withMail(rule: PasswordRule = 'everybody', fails = false) {
  const mails: AddressedMail[] = []
  const mail = definePlugin({
    feature: 'acme.mail',
    about: 'Sends mail.',
    unstable: {
      passwords: () => rule,
      mail(it) {
        if (fails) throw new Error('boom')
        mails.push(it)
        return undefined
      },
    },
  })
  const { linnet, account } = await withBob([mail, codes])
  const ask = async (of: string, more = {}) => {
    const answer = await browser(linnet).send('POST', '/one-time-link/ask', { email: of }, more)
    await linnet.settled()
    return answer
  }
  return { linnet, account, mails, ask }
}

const linkIn = ({ text }: AddressedMail) =>
  /https:\/\/go\.example\.org\/dashboard\/one-time-link#(\S+)\n$/.exec(text)?.[1]

test('mails a link that sets a new password, in the language of the browser', async () => {
  const { linnet, mails, ask } = await withMail()
  const shown = await browser(linnet).send('GET', '/session')
  expect(shown.body.data.mailsLinks).toBe(true)
  await ask('BOB@example.org', { 'accept-language': 'de' })
  await expect.poll(() => mails.length).toBe(1)
  const [mail] = mails
  expect(mail).toMatchObject({ to: email, subject: 'Ein neues Passwort', from: 'linnet' })
  const used = { secret: mail && linkIn(mail), password: 'another good password' }
  const { status } = await browser(linnet).send('POST', '/one-time-link/use', used)
  expect(status).toBe(201)
})

test('answers alike whether there is such an account, and mails nobody else', async () => {
  const { linnet, account, mails, ask } = await withMail()
  const known = await ask(email)
  const unknown = await ask('eve@example.org')
  expect([known.status, known.body]).toEqual([204, undefined])
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  // Those whom a provider signs in keep to it, and nobody gets into a suspended account.
  for (const change of [{ suspended_at: 1 }, { suspended_at: null, password_hash: null }]) {
    await linnet.db.updateTable('accounts').set(change).where('id', '=', account.id).execute()
    expect((await ask(email)).status).toBe(204)
  }
  await expect.poll(() => mails.length).toBe(1)
})

test('mails an address at most three links an hour, and lets one client ask twenty times', async () => {
  const { mails, ask } = await withMail()
  const statuses: number[] = []
  for (let asked = 0; asked < 21; asked++) statuses.push((await ask(email)).status)
  expect(statuses).toEqual([...Array(20).fill(204), 429])
  expect(mails).toHaveLength(3)
})

test('keeps to who may sign in by password', async () => {
  const nobody = await withMail('nobody')
  expect((await nobody.ask(email)).body.code).toBe('passwords_off')
  const admins = await withMail('admins')
  expect((await admins.ask(email)).status).toBe(204)
  expect([nobody.mails, admins.mails]).toEqual([[], []])
})

test('is refused where no plugin sends mail, and says in the log if it cannot be sent', async () => {
  const { linnet } = await withBob([codes])
  const off = await browser(linnet).send('POST', '/one-time-link/ask', { email })
  expect([off.status, off.body.code]).toEqual([409, 'mail_off'])
  expect((await browser(linnet).send('GET', '/session')).body.data.mailsLinks).toBe(false)
  const broken = await withMail('everybody', true)
  expect((await broken.ask(email)).status).toBe(204)
  await expect.poll(() => broken.linnet.log.join('\n')).toContain('could not be mailed')
})

test('mails an invitation or a link to a new password that an admin makes, and says if that fails', async () => {
  const { linnet, account, mails } = await withMail()
  const make = async (id: string, body?: object) =>
    (await linnet.api('POST', `/admin/accounts/${id}/one-time-link`, body)).body.data
  const eve = { email: 'eve@example.org' }
  const invited = (await linnet.api('POST', '/admin/accounts', eve)).body.data
  expect(await make(invited.id)).toMatchObject({ isMailed: false, mailProblem: null })
  expect(mails).toEqual([])
  const made = await make(invited.id, { mail: true })
  expect(made).toMatchObject({ isMailed: true, mailProblem: null })
  expect(mails[0]).toMatchObject({ to: eve.email, subject: 'You are invited' })
  expect(mails[0] && linkIn(mails[0])).toBe(made.secret)
  await make(publicId('acc', account.id), { mail: true })
  expect(mails[1]).toMatchObject({ to: email, subject: 'A new password' })

  const failing = await withMail('everybody', true)
  const other = publicId('acc', failing.account.id)
  const path = `/admin/accounts/${other}/one-time-link`
  const { status, body } = await failing.linnet.api('POST', path, { mail: true })
  expect([status, body.data.isMailed]).toEqual([201, false])
  expect(body.data.mailProblem).toContain('could not be sent')
  const opened = { secret: body.data.secret }
  expect((await browser(failing.linnet).send('POST', '/one-time-link/open', opened)).status).toBe(
    200,
  )
})

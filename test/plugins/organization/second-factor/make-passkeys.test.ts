import { expect, it, onTestFinished } from 'vitest'
import plugin from '../../../../plugins/organization/second-factor.ts'
import { boot } from '../../../harness.ts'
import { softwareAuthenticator } from '../../../software-authenticator.ts'

const bob = { email: 'bob@example.org', password: 'analytical engine' }
const path = '/second-factor/passkeys'

/** Linnet with Bob, who is signed in and makes passkeys. */
async function start() {
  const linnet = await boot(plugin, { at: '2026-11-20T12:00:00Z' })
  onTestFinished(() => linnet.stop())
  await linnet.api('POST', '/admin/accounts', bob)
  const signIn = () => linnet.api('POST', '/session', bob)
  const cookie = String((await signIn()).headers['set-cookie']).split(';')[0] ?? ''
  const own = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { cookie })
  /** What a new device made. */
  async function made(flaws = {}, idBytes?: number): Promise<string> {
    const { status, body } = await own('POST', path)
    expect(status).toBe(200)
    return softwareAuthenticator('https://go.example.org', idBytes).make(body.data.options, flaws)
  }
  const keep = (passkey: string) => own('POST', `${path}/confirm`, { passkey })
  const list = async () => (await own('GET', path)).body.data
  return { linnet, own, signIn, made, keep, list }
}

it('keeps twenty passkeys of an account, also of those that were begun before', async () => {
  const { linnet, made, keep, list } = await start()
  expect((await keep(await made())).status).toBe(200)
  const begun = [await made(), await made()]
  const table = 'organization_second_factor_passkeys' as 'meta'
  const row = await linnet.db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
  const others = Array.from({ length: 18 }, (_, index) => ({ ...row, id: `other-${index}` }))
  await linnet.db
    .insertInto(table)
    .values(others as never)
    .execute()
  const answers = await Promise.all(begun.map(keep))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  expect(await list()).toHaveLength(20)
})

it('keeps one passkey for each question, and none that was deleted', async () => {
  const { own, made, keep, list } = await start()
  await keep(await made())
  const second = await made()
  expect((await keep(second)).status).toBe(200)
  const { id } = (await list())[1]
  expect((await own('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await keep(second)).status).toBe(422)
  expect(await list()).toHaveLength(1)
})

it('brings no passkey back that was lost, where another was begun before the second factor was reset', async () => {
  const { linnet, made, keep, list } = await start()
  await keep(await made())
  const begun = await made()
  await linnet.db.deleteFrom('account_steps').execute()
  const { status, body } = await keep(begun)
  expect([status, body.data.recoveryCodes.length]).toEqual([200, 10])
  expect(await list()).toHaveLength(1)
})

it('shows recovery codes once, and those work, where first passkeys are confirmed at once', async () => {
  const { linnet, made, keep, list, signIn } = await start()
  const first = [await made(), await made(), await made(), await made(), await made()]
  const answers = await Promise.all(first.map(keep))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await list()).toHaveLength(5)
  const shown: readonly string[][] = answers.map(({ body }) => body.data.recoveryCodes)
  expect(shown.map(({ length }) => length).toSorted()).toEqual([0, 0, 0, 0, 10])
  const step = { feature: plugin.feature, name: 'code' }
  const [answer] = shown.flat()
  const { ticket } = (await signIn()).body
  const asked = await linnet.api('POST', '/session/step', { ticket, step }, { cookie: '' })
  const said = { ticket: asked.body.ticket, answer }
  expect((await linnet.api('POST', '/session/step', said, { cookie: '' })).status).toBe(201)
})

it('a passkey is kept without a look at what the maker of its device says of it', async () => {
  // To check these, the library asks addresses that stand in certificates, which a client makes as it likes.
  const formats = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'packed', 'tpm', 'new']
  const { made, keep, list } = await start()
  const statuses: number[] = []
  for (const attestation of formats) statuses.push((await keep(await made({ attestation }))).status)
  expect(statuses).toEqual(formats.map(() => 200))
  expect(await list()).toHaveLength(formats.length)
  const elsewhere = { attestation: 'packed', origin: 'https://evil.example' }
  expect((await keep(await made(elsewhere))).status).toBe(422)
})

it('keeps no passkey with a longer id than there may be', async () => {
  const { made, keep, list } = await start()
  expect((await keep(await made({}, 1_023))).status).toBe(200)
  expect((await keep(await made({}, 1_024))).status).toBe(422)
  expect(await list()).toHaveLength(1)
})

it('keeps of the ways to a device what are words, whatever a browser says', async () => {
  const { own, made, keep } = await start()
  const nested = '['.repeat(10_000) + ']'.repeat(10_000)
  const all = ['null', '7', '"usb"', '{"usb":1}', nested, `["usb","${'x'.repeat(33)}",7,["nfc"]]`]
  const statuses: number[] = []
  for (const said of all) {
    const passkey = (await made()).replace('["internal"]', said)
    statuses.push((await keep(passkey)).status)
  }
  expect(statuses).toEqual(all.map(() => 200))
  const { body } = await own('POST', path)
  const known: readonly { transports: unknown }[] = JSON.parse(body.data.options).excludeCredentials
  expect(known.map(({ transports }) => transports)).toEqual([[], [], [], [], [], ['usb']])
})

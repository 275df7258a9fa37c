import bcrypt from 'bcryptjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Context, definePlugin, isRefusal, type LinkPast } from '../../../../core/plugin.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

let linnet: Harness
let context: Context
const told: unknown[] = []
afterEach(() => linnet.stop())

const importer = definePlugin({
  feature: 'a.importer',
  about: 'Imports links.',
  setup(its) {
    context = its as Context
  },
  events: { kinds: ['link'], handle: event => void told.push(event) },
})

async function start(options: HarnessOptions = {}) {
  linnet = await boot([importer, 'link.passwordProtection', 'link.customShortCode'], {
    at: '2026-11-26T12:00:00Z',
    ...options,
  })
}

async function bring(hashed: NonNullable<LinkPast['hashed']>, more = {}) {
  const link = { originalUrl: 'https://example.com/', shortCode: 'shut', ...more }
  return context.links.create(linnet.account.rowId, link, {
    createdAt: new Date('2020-01-01T00:00:00Z'),
    hashed,
  })
}

async function stored(): Promise<string> {
  const { fields } = await linnet.db.selectFrom('links').select('fields').executeTakeFirstOrThrow()
  return JSON.parse(fields)['link.passwordProtection']?.password
}

const answer = (password: string, ip = '203.0.113.7') =>
  linnet.visit('shut', { ip, answers: { password } })
const anew = () => vi.waitFor(async () => expect(await stored()).toMatch(/^scrypt:/))

describe('a link that brings the hash of its password', () => {
  it('is shut until somebody gives it, in as few characters as it has', async () => {
    await start()
    await bring({ password: await bcrypt.hash('abc', 4) })
    expect((await linnet.visit('shut')).text).toContain('This link is protected')
    expect((await answer('abd')).status).toBe(403)
    expect(await answer('abc')).toMatchObject({ status: 303, location: 'https://example.com/' })
  })

  it('has it hashed anew by the first right guess, and is otherwise as it was', async () => {
    await start()
    const hash = await bcrypt.hash('open sesame', 4)
    const made = await bring({ password: hash })
    const id = isRefusal(made) ? '' : made.id
    const read = async () => (await linnet.api('GET', `/links/${id}`)).body.data
    const before = await read()
    expect(before).toMatchObject({ hasPassword: true, updatedAt: '2020-01-01T00:00:00.000Z' })
    expect(await stored()).toBe(hash)
    await answer('open barley')
    expect(await stored()).toBe(hash)
    await answer('open sesame')
    await anew()
    expect(await read()).toMatchObject({ ...before, visits: expect.anything() })
    expect((await answer('open sesame', '203.0.113.8')).status).toBe(303)
    expect((await answer('open barley', '203.0.113.9')).status).toBe(403)
  })

  it('is shown nowhere with it, nor logged', async () => {
    await start()
    const hash = await bcrypt.hash('open sesame', 4)
    await bring({ password: hash })
    const refused = await bring({ password: `${hash}x` }, { shortCode: 'other' })
    await vi.waitFor(() => expect(told).not.toEqual([]))
    const seen = [
      await linnet.api('GET', '/links'),
      await linnet.visit('shut'),
      await answer('open barley'),
      refused,
      linnet.log,
      told,
    ]
    expect(JSON.stringify(seen)).not.toContain(hash.slice(7))
  })

  it('is hashed anew once by two right guesses at the same moment, and both get through', async () => {
    await start()
    await bring({ password: await bcrypt.hash('open sesame', 4) })
    const both = await Promise.all([answer('open sesame'), answer('open sesame', '192.0.2.1')])
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    await anew()
    const first = await stored()
    await answer('open sesame', '192.0.2.2')
    expect(await stored()).toBe(first)
  })

  it('is hashed anew also where others are at the same moment', async () => {
    await start()
    const codes = ['shut', 'closed', 'locked']
    for (const shortCode of codes) {
      await bring({ password: await bcrypt.hash('open sesame', 4) }, { shortCode })
    }
    const answers = { password: 'open sesame' }
    await Promise.all(codes.map((code, n) => linnet.visit(code, { ip: `192.0.2.${n}`, answers })))
    await vi.waitFor(async () => {
      const rows = await linnet.db.selectFrom('links').select('fields').execute()
      expect(rows.filter(({ fields }) => fields.includes('"scrypt:'))).toHaveLength(3)
    })
  })

  it('keeps the password that its owner sets meanwhile', async () => {
    await start()
    const made = await bring({ password: await bcrypt.hash('open sesame', 4) })
    const id = isRefusal(made) ? '' : made.id
    const [{ status }] = await Promise.all([
      linnet.api('PATCH', `/links/${id}`, { password: 'new word' }),
      answer('open sesame'),
    ])
    expect(status).toBe(200)
    await linnet.settled()
    await vi.waitFor(async () => expect((await answer('new word', '192.0.2.3')).status).toBe(303))
    expect((await answer('open sesame', '192.0.2.4')).status).toBe(403)
  })

  it('keeps the hash of bcrypt when more was typed than bcrypt reads', async () => {
    await start()
    const long = 'open sesame '.repeat(7)
    const hash = await bcrypt.hash(long, 4)
    await bring({ password: hash })
    expect((await answer(long.slice(0, 72))).status).toBe(303)
    expect((await answer(long, '192.0.2.5')).status).toBe(303)
    await linnet.settled()
    expect(await stored()).toBe(hash)
  })
})

describe('a hash is refused', () => {
  it.each([
    [
      'that cannot be checked',
      { password: 'open sesame' },
      {},
      'hashed.password',
      'Must be a hash of bcrypt',
    ],
    [
      'that takes days',
      { password: `$2b$31$${'a'.repeat(53)}` },
      {},
      'hashed.password',
      'Has a cost of 31.',
    ],
    [
      'of a field that there is not',
      { passwort: 'x' },
      {},
      'hashed.passwort',
      'No field of this name',
    ],
    [
      'of a field that is not sealed',
      { shortCode: 'x' },
      {},
      'hashed.shortCode',
      'No field of this name',
    ],
    [
      'beside the password',
      { password: `$2b$04$${'a'.repeat(53)}` },
      { password: 'open' },
      'hashed.password',
      'give one',
    ],
  ])('%s, with a sentence and its place', async (_, hashed, more, field, sentence) => {
    await start()
    const refused = await bring(hashed, more)
    expect(refused).toMatchObject({ code: 'validation_failed', field })
    expect(JSON.stringify(refused)).toContain(sentence)
    expect((await linnet.visit('shut')).status).toBe(404)
  })

  it.each([[{ password: 5 }], [{ password: 'x'.repeat(501) }], ['text']])(
    'that is not a text of at most 500 characters: %j',
    async wrong => {
      await start()
      const refused = await bring(wrong as never)
      expect(refused).toMatchObject({ code: 'validation_failed', errors: [{}] })
      expect(JSON.stringify(refused)).toContain('hashed')
    },
  )

  it('where the plan has no passwords', async () => {
    await start({
      plan: 'free',
      settings: { plans: { free: { link: { passwordProtection: false, customShortCode: true } } } },
    })
    expect(await bring({ password: await bcrypt.hash('open sesame', 4) })).toMatchObject({
      code: 'feature_not_in_plan',
    })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot(passwordProtection)
  link = await linnet.create({ originalUrl: 'https://example.com/secret', password: 'open sesame' })
})
afterEach(() => linnet.stop())

async function answer(password: string, ip = '203.0.113.7') {
  const { hidden } = await linnet.visit(link, { ip })
  return linnet.visit(link, { ip, answers: { ...hidden, password } })
}

describe('a link with a password', () => {
  it('asks for it, and leads on when it is right', async () => {
    const asked = await linnet.visit(link)
    expect(asked).toMatchObject({ status: 403, location: undefined })
    expect(asked.text).toContain('This link is protected')

    expect(await answer('open sesame')).toMatchObject({
      status: 303,
      location: 'https://example.com/secret',
    })
  })

  it('says so when it is wrong', async () => {
    const wrong = await answer('open barley')
    expect(wrong.location).toBeUndefined()
    expect(wrong.text).toContain('The password is wrong.')
  })

  it('takes the password of a script that never saw the page', async () => {
    expect(await linnet.visit(link, { answers: { password: 'open sesame' } })).toMatchObject({
      location: 'https://example.com/secret',
    })
  })

  it('shows the address nowhere', async () => {
    const seen = [
      await linnet.visit(link),
      await linnet.visit(link, { method: 'HEAD' }),
      await linnet.visit(link, { headers: { accept: 'application/json' } }),
      await answer('wrong'),
    ]
    for (const it of seen) {
      expect(JSON.stringify(it.headers) + it.text).not.toContain('example.com/secret')
    }
  })

  it('refuses the right password too while there were too many wrong ones', async () => {
    for (let guess = 1; guess <= 5; guess++) await answer(`guess ${guess}`)
    const blocked = await answer('open sesame')
    expect(blocked).toMatchObject({ status: 429, location: undefined })
    expect(await answer('open sesame', '203.0.113.8')).toMatchObject({ status: 303 })
  })

  it('takes the right password as often as it is sent, also from one address', async () => {
    for (let visits = 0; visits < 104; visits++) {
      expect((await answer('open sesame')).status).toBe(303)
    }
  })

  it('stays open for the right password when strangers guessed a hundred times', async () => {
    for (let client = 0; client < 21; client++) {
      for (let guess = 1; guess <= 5; guess++) await answer('a guess', `198.51.100.${client}`)
    }
    for (let client = 0; client < 10; client++) {
      expect((await answer('open sesame', `192.0.2.${client}`)).status).toBe(303)
    }
  })

  it('counts a whole IPv6 network as one visitor', async () => {
    for (let guess = 1; guess <= 5; guess++) await answer('wrong', `2001:db8:1:2::${guess}`)
    expect((await answer('open sesame', '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await answer('open sesame', '2001:db8:1:3::1')).status).toBe(303)
  })

  it('shows that there is one, and never which', async () => {
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(body.data.hasPassword).toBe(true)
    expect(JSON.stringify(body)).not.toContain('sesame')
    const { fields } = await linnet.db
      .selectFrom('links')
      .select('fields')
      .executeTakeFirstOrThrow()
    expect(fields).not.toContain('sesame')
    expect(fields).toContain('scrypt:')
  })

  it('opens when the password is taken away', async () => {
    await linnet.api('PATCH', `/links/${link.id}`, { password: null })
    expect(await linnet.visit(link)).toMatchObject({
      status: 302,
      location: 'https://example.com/secret',
    })
  })

  it('voids what was answered before when the password changes', async () => {
    const { hidden } = await linnet.visit(link)
    await linnet.api('PATCH', `/links/${link.id}`, { password: 'new word' })
    expect(
      await linnet.visit(link, { answers: { ...hidden, password: 'open sesame' } }),
    ).toMatchObject({ location: undefined })
  })
})

it('is refused with its field when it is too short', async () => {
  const { status, body } = await linnet.api('POST', '/links', {
    original_url: 'https://example.com/',
    password: 'abc',
  })
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field: 'password' }])
})

it('needs the plan for a new password, but not to follow or to clear an old one', async () => {
  await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
  const path = `/links/${link.id}`
  const { body, status } = await linnet.api('PATCH', path, { password: 'another one' })
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
  expect(await answer('open sesame')).toMatchObject({ status: 303 })
  expect((await linnet.api('PATCH', path, { password: null })).status).toBe(200)
})

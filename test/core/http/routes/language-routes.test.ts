import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin, refuse } from '../../../../core/plugin.ts'
import { boot, type Harness, type Visited } from '../../../harness.ts'

const italian = definePlugin({
  feature: 'acme.italian',
  about: 'Speaks Italian.',
  unstable: {
    languages: {
      it: {
        name: 'Italiano',
        visitors: {
          'No link here': 'Qui non c’è nessun link',
          'This link is closed to you': 'Questo link <b>è</b> chiuso',
          'It opens at {}.': 'Apre alle {}.',
        },
        dashboard: { Save: 'Salva', '{} links deleted.': { one: 'Un link.', other: '{} link.' } },
        server: { Password: 'Password', 'It does not exist, or is not yours.': 'Non esiste.' },
      },
      ar: { name: 'العربية', dir: 'rtl', visitors: { 'No link here': 'لا يوجد رابط هنا' } },
    },
  },
})

const hours = definePlugin({
  feature: 'acme.hours',
  about: 'Closes all links.',
  guard: () => () =>
    refuse('closed', { en: 'It opens at 9:00.', it: 'Alle 9:00.', nl: 'Om 9 uur.' }, 403),
})

const strange = definePlugin({
  feature: 'acme.strange',
  about: 'Closes all links.',
  guard: () => () => refuse('closed', { en: 'It opens at 9:00.' }, 403),
})

let linnet: Harness
afterEach(() => linnet.stop())

const read = (path: string, language: string): Promise<Visited> =>
  linnet.visit(path, { headers: { accept: 'text/html', 'accept-language': language } })

describe('a language that a plugin brings', () => {
  it('is what visitors read who prefer it, text by text', async () => {
    linnet = await boot(italian)
    for (let visit = 0; visit < 2; visit += 1) {
      const { status, text } = await read('nothing', 'it-IT, de;q=0.5')
      expect(status).toBe(404)
      expect(text).toContain('<html lang="it">')
      expect(text).toContain('<h1>Qui non c’è nessun link</h1>')
      expect(text).toContain('<p><span lang="en">There is no link at this address.')
      expect((await read('nothing', 'de, it;q=0.5')).text).toContain('<html lang="de">')
    }
  })

  it('is written in its direction, and English in that of English', async () => {
    linnet = await boot(italian)
    const { text } = await read('nothing', 'ar')
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(text).toContain('<p><span lang="en" dir="ltr">There is no link')
  })

  it('puts values in, and says what does not fit in English', async () => {
    linnet = await boot([italian, strange])
    const { text } = await read((await linnet.create()).shortCode, 'it')
    expect(text).toContain('<h1><span lang="en">This link is closed to you</span></h1>')
    expect(text).toContain('<p>Apre alle 9:00.</p>')
  })

  it('lets another plugin say in it what it says itself', async () => {
    linnet = await boot([italian, hours])
    const { shortCode } = await linnet.create()
    expect((await read(shortCode, 'it')).text).toContain('<p>Alle 9:00.</p>')
    expect((await read(shortCode, 'nl')).text).toContain('<html lang="en">')
  })

  it('is English again once the plugin is off, and back once it is on', async () => {
    linnet = await boot(italian)
    const shown = async () => {
      const { body } = await linnet.api('GET', '/languages')
      const { text } = await read('nothing', 'it')
      return [body.data.length, /lang="(\w+)"/.exec(text)?.[1]]
    }
    const turn = (enabled: boolean) =>
      linnet.api('PATCH', '/admin/plugins/acme.italian', { enabled })
    expect(await shown()).toEqual([2, 'it'])
    await turn(false)
    expect(await shown()).toEqual([0, 'en'])
    expect((await linnet.api('GET', '/languages/it')).status).toBe(404)
    await turn(true)
    expect(await shown()).toEqual([2, 'it'])
  })

  it('is listed for anybody, with the texts that fit', async () => {
    linnet = await boot(italian)
    const nobody = { cookie: '' }
    const { body } = await linnet.api('GET', '/languages', undefined, nobody)
    expect(body.data).toEqual([
      { lang: 'it', name: 'Italiano', dir: 'ltr' },
      { lang: 'ar', name: 'العربية', dir: 'rtl' },
    ])
    const shown = await linnet.api('GET', '/languages/it', undefined, nobody)
    expect(shown.body.data).toEqual({
      ...{ lang: 'it', name: 'Italiano', dir: 'ltr' },
      dashboard: { Save: 'Salva', '{} links deleted.': { one: 'Un link.', other: '{} link.' } },
      sentences: expect.objectContaining({ Password: 'Password' }),
      problems: { not_found: 'Non esiste.' },
    })
    const etag = String(shown.headers.etag)
    const again = await linnet.api('GET', '/languages/it', undefined, { 'if-none-match': etag })
    expect([again.status, again.body]).toEqual([304, undefined])
  })

  it('is told of in the health where a text does not fit', async () => {
    linnet = await boot(italian)
    const answer = await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
    expect(answer.json().checks.plugins).toEqual({
      status: 'ok',
      note: 'acme.italian does not translate “This link is closed to you” into Italiano as it should: it has markup in it.',
    })
  })

  it('is brought by one plugin only', async () => {
    const another = definePlugin({
      ...italian,
      feature: 'acme.another',
      unstable: { languages: { it: { name: 'Italiano' } } },
    })
    linnet = await boot([])
    await expect(boot([italian, another])).rejects.toThrow(
      'acme.italian and acme.another both have the language it.',
    )
  })
})

import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ask,
  claim,
  date,
  definePlugin,
  type Plugin,
  page,
  redirect,
  refuse,
  text,
  z,
} from '../../../core/plugin.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

function plugin(feature: Plugin['feature'], hooks: Partial<Plugin> = {}): Plugin {
  return definePlugin({ feature, about: 'A plugin for a test.', ...hooks } as Plugin)
}

const fails = (): never => {
  throw new Error('boom')
}

/** A plugin that asks for a word on every link. */
const asking = (feature: Plugin['feature'], word: string) =>
  plugin(feature, {
    guard: () => visit =>
      visit.answers.word === word
        ? undefined
        : ask(`Word of ${feature}`, [{ name: 'word', label: 'Word', type: 'text' }]),
  })

describe('a plugin that fails', () => {
  it('in a guard keeps the link shut', async () => {
    linnet = await boot(plugin('a.guard', { guard: () => fails }))
    const link = await linnet.create()
    expect(await linnet.visit(link)).toMatchObject({ status: 503, location: undefined })
    expect(linnet.log.join()).toContain('a.guard guard failed: boom')
  })

  it('when it is asked for its guard keeps the link shut, and is asked again next time', async () => {
    let healthy = true
    linnet = await boot(plugin('a.guard', { guard: () => (healthy ? undefined : fails()) }))
    const link = await linnet.create()
    healthy = false
    linnet.app.cache.forgetAll()
    expect((await linnet.visit(link)).status).toBe(503)
    healthy = true
    expect((await linnet.visit(link)).status).toBe(302)
  })

  it('in a target leaves the address as it was', async () => {
    linnet = await boot([
      plugin('a.first', { target: () => (_, url) => `${url}?a=1` }),
      plugin('a.fails', { target: () => fails }),
      plugin('a.last', { target: () => (_, url) => `${url}&b=2` }),
    ])
    const link = await linnet.create()
    expect((await linnet.visit(link)).location).toBe('https://example.com/?a=1&b=2')
  })

  it('in a target that leads nowhere good keeps the link shut', async () => {
    linnet = await boot(plugin('a.evil', { target: () => () => 'javascript:alert(1)' }))
    const link = await linnet.create()
    expect(await linnet.visit(link)).toMatchObject({ status: 503, location: undefined })
    expect(linnet.log.join()).toContain(
      'a.evil target failed: it returned an invalid value: must be an',
    )
    const health = await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
    expect(health.payload).toContain('a.evil target failed once')
  })

  it.each(['prepare', 'validate'] as const)(
    'in %s saves nothing and counts nothing',
    async hook => {
      linnet = await boot(plugin('a.writes', { [hook]: fails }))
      const { status, body } = await linnet.api('POST', '/links', {
        original_url: 'https://example.com/',
      })
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect(await linnet.db.selectFrom('links').selectAll().execute()).toEqual([])
      expect(await linnet.db.selectFrom('usage').selectAll().execute()).toEqual([])
    },
  )

  it('in a listener is named in the log, and the link is made', async () => {
    linnet = await boot(plugin('a.listens', { on: { created: fails } }))
    await linnet.create()
    expect(linnet.log).toContain('a.listens on.created failed: boom')
  })

  it('in an endpoint answers 500 without its message', async () => {
    linnet = await boot(
      plugin('a.serves', {
        endpoints: {
          'GET /broken': {
            summary: 'Break.',
            scope: 'links:read',
            answer: z.object({}),
            handle: fails,
          },
        },
      }),
    )
    const { status, body } = await linnet.api('GET', '/broken')
    expect([status, body.code]).toEqual([500, 'internal'])
    expect(JSON.stringify(body)).not.toContain('boom')
    expect(linnet.log.join()).toContain('a.serves GET /broken failed: boom')
  })

  it('in a job is logged, and the job runs again', async () => {
    linnet = await boot(plugin('a.works', { jobs: { tick: { every: '0 3 * * *', run: fails } } }))
    await expect(linnet.run('a.works.tick')).rejects.toThrow('boom')
    await expect(linnet.run('a.works.tick')).rejects.toThrow('boom')
  })

  it('in its set-up is left out loudly, and what needs it too', async () => {
    const three = [
      plugin('a.fails', { setup: fails }),
      plugin('a.needy', { needs: ['a.fails'] }),
      plugin('a.well'),
    ]
    linnet = await boot(three, { withoutLeftOut: true })
    expect(linnet.app.plugins.running.map(({ plugin }) => plugin.feature)).toEqual(['a.well'])
    expect(linnet.app.plugins.leftOut).toEqual({
      'a.fails': 'its set-up failed: boom',
      'a.needy': 'it needs a.fails, which does not run',
    })
  })

  it('in its set-up stops the boot when it guards links', async () => {
    linnet = await boot([])
    await expect(
      linnet.restart([plugin('a.guards', { setup: fails, guard: () => undefined })]),
    ).rejects.toThrow(/a\.guards could not be set up: boom\..*linnet plugins off a\.guards/)
  })
})

/** What no hook may give, by what a plugin's author got wrong. */
const nonsense = {
  'a word of its own': { kind: 'nonsense' },
  true: true,
  'nothing, but as null': null,
  'a refusal with a status that is none': refuse('no', 'No.', 99_999),
  'a refusal that is a success': refuse('no', 'No.', 200),
  'a refusal without a sentence': { kind: 'refuse', code: 'no', status: 422 },
} as const

describe('a plugin that answers nonsense', () => {
  it.each(Object.entries(nonsense))('as %s, in a guard, keeps the link shut', async (_, answer) => {
    linnet = await boot(plugin('a.guard', { guard: () => () => answer as never }))
    const link = await linnet.create()
    expect(await linnet.visit(link)).toMatchObject({ status: 503, location: undefined })
    expect(linnet.log.join()).toContain('a.guard guard failed: it returned an invalid value')
  })

  it.each(Object.entries(nonsense))('as %s, in a claim, keeps the link shut', async (_, answer) => {
    linnet = await boot(plugin('a.guard', { guard: () => () => claim(() => answer as never) }))
    expect(await linnet.visit(await linnet.create())).toMatchObject({ status: 503 })
    expect(linnet.log.join()).toContain('a.guard guard.claim failed: it returned an invalid value')
  })

  it.each(Object.entries({ ...nonsense, 'a number': 42 }))(
    'as %s, when it judges a link, saves nothing',
    async (_, answer) => {
      const wrong = answer as never
      for (const [hook, hooks] of Object.entries<Partial<Plugin>>({
        prepare: { prepare: () => wrong },
        validate: { validate: () => wrong },
        save: { fields: { mood: text({ label: 'Mood' }) }, save: () => wrong },
      })) {
        const linnet = await boot(plugin('a.judge', hooks))
        const { status } = await linnet.api('POST', '/links', {
          original_url: 'https://example.com/',
          ...(hook === 'save' && { mood: 'calm' }),
        })
        expect([hook, status]).toEqual([hook, 503])
        expect(linnet.log.join()).toContain(`a.judge ${hook} failed: it returned an invalid value`)
        expect(await linnet.db.selectFrom('links').selectAll().execute()).toEqual([])
        await linnet.stop()
      }
      linnet = await boot([])
    },
  )

  it.each(Object.entries({ ...nonsense, 'a number': 42, 'nothing, but as null': '' }))(
    'as %s, in place of a guard, keeps the link shut',
    async (_, answer) => {
      linnet = await boot(plugin('a.guard', { guard: () => answer as never }))
      expect(await linnet.visit(await linnet.create())).toMatchObject({ status: 503 })
      expect(linnet.log.join()).toContain('a.guard compile failed: it returned an invalid value')
    },
  )

  it('before a link is saved, changes nothing but what it may', async () => {
    const draft = { accountId: 7 } as object
    linnet = await boot(plugin('a.judge', { prepare: () => draft }))
    const body = { original_url: 'https://example.com/' }
    expect((await linnet.api('POST', '/links', body)).status).toBe(503)
  })

  it.each([
    ['null', null],
    ['5n', 5n],
  ])(
    'from the stored form of a field, thrown or given as %s, saves nothing and is named',
    async (_, form) => {
      const store = async () => {
        if (form === null) throw form
        return form as never
      }
      linnet = await boot(
        plugin('a.mood', { fields: { mood: { ...text({ label: 'Mood' }), store } } }),
      )
      const { id } = (await linnet.api('POST', '/links', { original_url: 'https://example.com/' }))
        .body.data
      const body = { original_url: 'https://example.com/', mood: 'calm' }
      expect((await linnet.api('POST', '/links', body)).status).toBe(503)
      expect((await linnet.api('PATCH', `/links/${id}`, { mood: 'calm' })).status).toBe(503)
      expect(linnet.log.join()).toContain('a.mood fields.mood failed: ')
      expect(await linnet.db.selectFrom('links').selectAll().execute()).toHaveLength(1)
    },
  )

  it('before a link is saved, keeps what it names without a value', async () => {
    const nothing = { originalUrl: undefined, shortCode: undefined } as object
    linnet = await boot(plugin('a.judge', { prepare: () => nothing }))
    const original_url = 'https://example.com/kept'
    const { status, body } = await linnet.api('POST', '/links', { original_url })
    expect([status, body.data.originalUrl]).toEqual([201, original_url])
  })

  it.each([
    [{ shortCode: 'a b/c' }, 'shortCode: must be a short code: 1 to 64 letters'],
    [{ shortCode: '' }, 'shortCode: must be a short code: 1 to 64 letters'],
    [{ shortCode: 'x'.repeat(256) }, 'shortCode: must be a short code: 1 to 64 letters'],
    [{ originalUrl: 'javascript:alert(1)' }, 'originalUrl: must be an http or https URL'],
  ])('as %j, before a link is saved, is named and saves nothing', async (patch, why) => {
    linnet = await boot(plugin('a.judge', { prepare: () => patch }))
    const body = { original_url: 'https://example.com/' }
    expect((await linnet.api('POST', '/links', body)).status).toBe(503)
    expect(linnet.log.join()).toContain(
      `a.judge prepare failed: it returned an invalid value: ${why}`,
    )
    expect(await linnet.db.selectFrom('links').selectAll().execute()).toEqual([])
  })

  it.each(['javascript:alert(1)', '/there', 'https://a.example/\r\nX: y'])(
    'as a way to %j, in a guard, a claim or a view, shows 503 and is named',
    async url => {
      const shown = page({ heading: 'x', link: { label: 'On', url } })
      const where = {
        guard: { guard: () => () => redirect(url) },
        'guard.claim': { guard: () => () => claim(() => redirect(url)) },
        view: { views: { '+': () => shown } },
      }
      for (const [hook, hooks] of Object.entries<Partial<Plugin>>(where)) {
        const linnet = await boot(plugin('a.astray', hooks))
        const { shortCode } = await linnet.create()
        const path = hook === 'view' ? `${shortCode}+` : shortCode
        const seen = await linnet.visit(path)
        expect(seen).toMatchObject({ status: 503, location: undefined })
        expect(linnet.log.join()).toContain(`a.astray ${hook} failed: it returned an invalid value`)
        await linnet.stop()
      }
      linnet = await boot([])
    },
  )

  it.each([
    [undefined],
    [42],
    [{ url: 5, variant: 'x' }],
    [{ url: 'https://a.example/', status: 200 }],
    [{ url: 'https://a.example/', headers: { 'Set-Cookie': 'a=b' } }],
    [{ url: 'https://a.example/', headers: { Link: 'a\r\nSet-Cookie: a=b' } }],
    [{ kind: 'page', heading: 'x', status: 302 }],
    [refuse('no', 'No.', 403)],
  ])('as %j, in a target, leaves the address as it was', async answer => {
    linnet = await boot(plugin('a.routes', { target: () => () => answer as never }))
    expect((await linnet.visit(await linnet.create())).location).toBe('https://example.com/')
    expect(linnet.log.join()).toContain('a.routes target failed: it returned an invalid value')
  })

  it.each([
    [undefined],
    [{ heading: 'Hello' }],
    [{ kind: 'page', heading: 'x', rows: [{}] }],
    [{ kind: 'page', heading: 'x', image: { src: 'https://example.com/a.png', alt: '' } }],
    [{ kind: 'page', heading: 'x', meta: { 'a"b': 'c' } }],
  ])('as %j, in a view, shows 503', async answer => {
    linnet = await boot(plugin('a.views', { views: { '+': () => answer as never } }))
    const { shortCode } = await linnet.create()
    expect((await linnet.visit(`${shortCode}+`)).status).toBe(503)
    expect(linnet.log.join()).toContain('a.views view failed: it returned an invalid value')
  })

  it.each([
    ['what JSON cannot say', { data: 5n }, 'BigInt'],
    ['less than it declares', {}, 'does not match its schema'],
    ['more than it declares', { data: 'x', secret: 'hush' }, 'more than its schema: secret'],
    [
      'a refusal that is a success',
      refuse('no', 'No.', 200),
      'it returned an invalid value: status',
    ],
  ])('with %s, in an endpoint, answers 500 and is named', async (_, answer, why) => {
    const endpoint = {
      summary: 'Give.',
      scope: '*',
      answer: z.object({ data: z.string() }),
      handle: () => answer as never,
    }
    linnet = await boot(plugin('a.serves', { endpoints: { 'GET /things': endpoint } }))
    expect(await linnet.api('GET', '/things')).toMatchObject({ status: 500 })
    expect(linnet.log.join()).toMatch(/a\.serves GET \/things failed: /)
    expect(linnet.log.join()).toContain(why)
    expect(linnet.log.join()).not.toContain('hush')
  })

  it('about what links show, or which are in a group, is named', async () => {
    const computed = { schema: { mood: z.string() }, of: () => [] }
    const groups = { '/moods': { summary: 'Moods', links: () => 7 as never } }
    linnet = await boot(plugin('a.shows', { computed, groups }))
    expect((await linnet.api('GET', '/moods/x/analytics')).status).toBe(500)
    expect(linnet.log.join()).toContain(
      'a.shows groups /moods failed: it returned an invalid value',
    )
    await linnet.api('POST', '/links', { original_url: 'https://example.com/' })
    expect(linnet.log.join()).toContain('a.shows computed failed: it returned an invalid value')
  })
})

describe('a plugin that shows of links what its own schema refuses', () => {
  const schema = {
    mood: z.string().nullable(),
    color: z.string().optional(),
    size: z.int(),
  }

  it('is named, and links show all that is right', async () => {
    const of = (links: readonly unknown[]) =>
      links.map(() => ({ mood: 7, color: ['red'], size: 3, id: 'mine' }))
    linnet = await boot(plugin('a.shows', { computed: { schema, of } }))
    const link = await linnet.create()
    expect(link).toMatchObject({ mood: null, size: 3, id: expect.stringMatching(/^lnk_/) })
    expect(link).not.toHaveProperty('color')
    expect(linnet.log.join()).toContain(
      'a.shows computed failed: it returned an invalid value: 0.mood',
    )
  })

  it('is named when it throws, and links show without it', async () => {
    const { mood, color } = schema
    linnet = await boot(plugin('a.shows', { computed: { schema: { mood, color }, of: fails } }))
    expect(await linnet.create()).toMatchObject({ mood: null })
    expect(linnet.log.join()).toContain('a.shows computed failed: boom')
  })
})

describe('a plugin that fails to say of links', () => {
  const list = (query: string) => linnet.api('GET', `/links?${query}`)
  const wrong = () => 7 as never

  it.each([
    ['throws', fails, 'boom'],
    ['gives no query', wrong, 'it returned an invalid value'],
  ])('which fit a filter is named, and lists none that may not fit: %s', async (_, where, why) => {
    linnet = await boot(plugin('a.filters', { filter: { query: { mood: z.string() }, where } }))
    await linnet.create()
    expect(await list('mood=good')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(linnet.log.join()).toContain(`a.filters filter failed: ${why}`)
  })

  it.each([fails, wrong])(
    'in which state they are is named, and shows them without',
    async rows => {
      linnet = await boot(
        plugin('a.states', { statuses: { expired: { label: 'Expired', rank: 700, links: rows } } }),
      )
      expect(await linnet.create()).toMatchObject({ status: 'active' })
      expect((await list('')).status).toBe(200)
      expect(linnet.log.join()).toContain('a.states statuses.expired failed: ')
      expect((await list('status=expired')).status).toBe(503)
    },
  )

  it.each([fails, wrong, () => -1])(
    'how many things an account has is named, and keeps nobody from signing in',
    async count => {
      const usage = { tagsCount: count === wrong ? () => 'seven' as never : count }
      linnet = await boot(plugin('a.counts', { usage }))
      const { status, body } = await linnet.api('GET', '/profile')
      expect([status, body.data.plan.usage.tagsCount]).toEqual([200, 0])
      expect(linnet.log.join()).toContain('a.counts usage.tagsCount failed: ')
    },
  )
})

describe('a dimension that fails', () => {
  const tracking = plugin('analytics.visitsTracking', {
    dimensions: { visits: { label: 'Visits', chart: 'number', total: true, of: () => '' } },
  })

  it.each<[string, () => string, string]>([
    ['that it throws', fails, 'boom'],
    ['with a number', () => 7 as never, 'it returned an invalid value: number, and not a text'],
  ])('of a visit is named in the log, %s, once in a while', async (_, of, why) => {
    const dimensions = { visitsByMood: { label: 'Mood', of } }
    linnet = await boot([tracking, plugin('a.counts', { dimensions })])
    const link = await linnet.create()
    for (const _ of 'ab') {
      await linnet.visit(link)
      await linnet.counts(link)
    }
    const told = linnet.log.filter(line => line.includes('visitsByMood'))
    expect(told).toEqual([`a.counts dimensions.visitsByMood.of failed: ${why}`])
  })

  it.each<[string, () => string, string]>([
    ['that it throws', fails, 'boom'],
    ['with a number', () => 7 as never, 'it returned an invalid value: number, and not a text'],
  ])('to name a value is named in the log, %s, and the value shows', async (_, labelOf, why) => {
    const dimensions = { visitsByMood: { label: 'Mood', of: () => 'calm', labelOf } }
    linnet = await boot([tracking, plugin('a.counts', { dimensions })])
    const link = await linnet.create()
    await linnet.visit(link)
    const { body } = await linnet.api('GET', `/links/${link.id}/analytics`)
    expect(body.data.visitsByMood).toEqual([{ value: 'calm', label: 'calm', visits: 1, share: 1 }])
    expect(linnet.log).toContain(`a.counts dimensions.visitsByMood.labelOf failed: ${why}`)
  })
})

describe('a listener', () => {
  it('hears which links were visited, and how often, once for all that came together', async () => {
    const heard: unknown[] = []
    linnet = await boot(
      plugin('a.listens', {
        dimensions: { visits: { label: 'Visits', total: true, of: () => '' } },
        on: { visited: visits => void heard.push(visits) },
      }),
    )
    const [one, other] = [await linnet.create(), await linnet.create()]
    for (const link of [one, other, one]) await linnet.visit(link)
    await linnet.counts(one)
    expect(heard).toEqual([
      [
        { id: one.id, accountId: linnet.account.rowId, visits: 2 },
        { id: other.id, accountId: linnet.account.rowId, visits: 1 },
      ],
    ])
  })
})

describe('guards', () => {
  it('that both ask are both answered, one after the other', async () => {
    linnet = await boot([asking('a.one', 'red'), asking('a.two', 'blue')])
    const link = await linnet.create()

    const first = await linnet.visit(link)
    expect(first.text).toContain('Word of a.one')
    const second = await linnet.visit(link, { answers: { ...first.hidden, word: 'red' } })
    expect(second.text).toContain('Word of a.two')
    const through = await linnet.visit(link, { answers: { ...second.hidden, word: 'blue' } })
    expect(through.location).toBe('https://example.com/')
  })

  it('do not take the answer to another question for theirs', async () => {
    linnet = await boot([asking('a.one', 'same'), asking('a.two', 'same')])
    const link = await linnet.create()
    const { hidden } = await linnet.visit(link)
    const second = await linnet.visit(link, { answers: { ...hidden, word: 'same' } })
    expect(second.text).toContain('Word of a.two')
  })

  it('are not passed with a pass for another link, nor after ten minutes', async () => {
    linnet = await boot([asking('a.one', 'red'), asking('a.two', 'blue')])
    const [link, other] = [await linnet.create(), await linnet.create()]
    const { hidden } = await linnet.visit(link)
    const second = await linnet.visit(link, { answers: { ...hidden, word: 'red' } })

    const elsewhere = await linnet.visit(other, { answers: { ...second.hidden, word: 'blue' } })
    expect(elsewhere.location).toBeUndefined()
    linnet.at('2026-11-20T12:10:00Z')
    const late = await linnet.visit(link, { answers: { ...second.hidden, word: 'blue' } })
    expect(late.location).toBeUndefined()
  })

  it('that are switched off keep links with their fields shut, and the boot says how to open them', async () => {
    const fields = { color: text({ label: 'Color' }) }
    linnet = await boot({ ...asking('a.one', 'red'), fields } as Plugin)
    const link = await linnet.create({ color: 'red' })
    const other = await linnet.create()
    const off = await linnet.restart([])
    expect(await off.visit(link)).toMatchObject({ status: 503, location: undefined })
    expect(await off.visit(other)).toMatchObject({ status: 302 })
    expect(off.log.join()).toContain(
      '1 link is protected by a.one, which does not run, and stays shut.',
    )
    expect(off.log.join()).toContain('linnet plugins release a.one')
    await off.app.close()
  })

  it('that are gone from a newer version of the plugin keep links shut, and the boot and the list of plugins say so', async () => {
    const older = plugin('a.hours', { guard: () => () => undefined })
    const newer = plugin('a.hours', {})
    linnet = await boot(older)
    const link = await linnet.create()
    const { body: before } = await linnet.api('GET', '/admin/plugins')
    const later = await linnet.restart([newer])
    expect(await later.visit(link)).toMatchObject({ status: 503 })
    const says =
      '1 link is protected by a.hours, which has no guard any more, and stays shut. Bring back a version that has one, or open the links without it: linnet plugins release a.hours'
    expect(later.log.join()).toContain(says)
    const { body: after } = await later.api('GET', '/admin/plugins')
    const problems = [before, after].map(({ data }) =>
      data.map((it: { problem: string | null }) => it.problem),
    )
    expect(problems).toEqual([[null], [says]])
  })

  it('that have no fields keep all links shut while they are off, unless they mark some', async () => {
    const guard: Plugin['guard'] = () => () => undefined
    const marking = plugin('a.marks', { unstable: { guards: 'marked' }, guard })
    linnet = await boot([plugin('a.all', { guard }), marking])
    const link = await linnet.create()
    const one = await linnet.restart([marking])
    expect(await one.visit(link)).toMatchObject({ status: 503 })
    const other = await one.create()
    const none = await one.restart([])
    expect(await none.visit(other)).toMatchObject({ status: 302 })
  })

  it('turn away with their own status', async () => {
    linnet = await boot(
      plugin('a.over', { guard: () => () => refuse('over', 'This link has ended.', 410) }),
    )
    const link = await linnet.create()
    const seen = await linnet.visit(link)
    expect(seen.status).toBe(410)
    expect(seen.text).toContain('This link has ended.')
  })
})

describe('writing a link', () => {
  it('lets plugins change the draft in order, and the first refusal wins', async () => {
    linnet = await boot([
      plugin('a.first', { prepare: () => ({ shortCode: 'first' }) }),
      plugin('a.second', { prepare: ({ shortCode }) => ({ shortCode: `${shortCode}-second` }) }),
      plugin('a.judge', {
        validate: ({ originalUrl }) =>
          originalUrl.includes('bad') ? refuse('unsafe_url', 'That is bad.') : undefined,
      }),
      plugin('a.late', { validate: () => undefined }),
    ])
    expect((await linnet.create()).shortCode).toBe('first-second')
    const { status, body } = await linnet.api('POST', '/links', {
      original_url: 'https://bad.example/',
    })
    expect([status, body.code]).toEqual([422, 'unsafe_url'])
  })

  it('shows, changes and clears the fields that plugins bring, and describes them', async () => {
    linnet = await boot(
      plugin('a.fields', {
        fields: { mood: text({ label: 'Mood', max: 10 }), until: date({ label: 'Until' }) },
      }),
    )
    const link = await linnet.create({ mood: 'calm', until: '2026-12-24T18:00:00+01:00' })
    expect(link).toMatchObject({ mood: 'calm', until: '2026-12-24T17:00:00.000Z' })

    const path = `/links/${link.id}`
    expect((await linnet.api('PATCH', path, { mood: null })).body.data).toMatchObject({
      mood: null,
      until: '2026-12-24T17:00:00.000Z',
    })
    const wrong = await linnet.api('PATCH', path, { mood: 'far too long a mood', until: 'soon' })
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'mood',
      'until',
    ])
    const manifest = await linnet.api('GET', '/plugins')
    expect(manifest.body.data[0]).toMatchObject({
      feature: 'a.fields',
      enabled: true,
      fields: [
        { name: 'mood', label: 'Mood', control: 'text' },
        { name: 'until', control: 'date' },
      ],
    })
    const { body } = await linnet.api('GET', '/openapi.json')
    expect(JSON.stringify(body)).toContain('"mood"')
  })
})

it('disposals of a plugin run in reverse order, and those of a half-done set-up at once', async () => {
  const calls: string[] = []
  const noted = (feature: Plugin['feature'], hooks: Partial<Plugin> = {}) =>
    plugin(feature, {
      setup: () => {
        calls.push(`set up ${feature}`)
      },
      dispose: () => {
        calls.push(`dispose of ${feature}`)
      },
      ...hooks,
    })
  const three = [noted('a.one'), noted('a.two', { setup: fails }), noted('a.three')]
  linnet = await boot(three, { withoutLeftOut: true })
  await linnet.app.close()
  expect(calls).toEqual([
    'set up a.one',
    'dispose of a.two',
    'set up a.three',
    'dispose of a.three',
    'dispose of a.one',
  ])
})

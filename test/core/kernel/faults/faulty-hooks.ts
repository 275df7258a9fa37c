import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { Hook } from '../../../../core/kernel/contain/contain.ts'
import {
  ask,
  type Context,
  claim,
  definePlugin,
  endpoint,
  field,
  file,
  type Identified,
  isRefusal,
  type Json,
  type Plugin,
  type Provider,
  page,
  publicId,
  type Question,
  redirect,
  refuse,
  type Step,
  text,
  z,
} from '../../../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'
import { addAccount } from '../../accounts/add-account.ts'

/** The Linnet of a test, stopped after it. No test waits: time passes where one says so. */
export let linnet: Harness
export function keepInstance(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const every = globalThis.setInterval
    // Linnet looks at its memory ten times a second: as minutes pass here, that would be half of the work.
    vi.stubGlobal('setInterval', (run: () => void, ms: number) => every(run, Math.max(ms, 1_000)))
  })
  afterEach(async () => {
    await untilStopped()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
}

/** As long as every budget of the harness, in milliseconds. */
export const budgetMs = 30_000

export const feature = 'a.faulty'

/** Where links of its own lead. */
const led = 'https://example.com/'

/** One plugin that does one thing wrong, once, when it is told to. */
interface Faulty {
  /** A hook that answers so where nothing is wrong. */
  hook<T>(well: T): () => T
  /** Set up with this: what it reaches. */
  context: Context | undefined
}

type Act = (linnet: Harness, own: ShownLink) => Promise<unknown>

/** What one hook does wrong is told so in the log, and brings this about. */
export interface Row {
  /** What the log calls it. */
  readonly part: string
  plugin(faulty: Faulty): Partial<Plugin>
  /** Has it asked, with a link of its own; gives what one sees of it. */
  readonly act: Act
  readonly well: unknown
  readonly failed: unknown
  /** What one sees if there is no answer in time, if that is not `failed`. */
  readonly late?: unknown
  /** It may give whatever it likes. */
  readonly givesAnything?: true
  /** Which mistakes of `mistakes.test.ts` are none here. */
  readonly takes?: readonly string[]
  /** What one sees after some of these mistakes, if it is neither `well` nor `failed`. */
  readonly seen?: Readonly<Record<string, unknown>>
  /** Of the right shape, but far too large. Left out if nothing can be, or if it may be. */
  readonly huge?: unknown
  /** It cannot be waited for: a promise is nonsense. */
  readonly isPlain?: true
  /** Whoever writes waits for it meanwhile. */
  readonly isInWriting?: true
  readonly isOffAtFirst?: true
  /** Zod calls it, which takes no promises, and whoever makes one leaves it to nobody. */
  readonly isInSchema?: true
  /** It may take as long as it likes; `test/core/app/check-health.test.ts` has who tells of it. */
  readonly isUnbounded?: true
}

const statusOf = async (answer: Promise<{ readonly status: number }>) => (await answer).status
const visited: Act = async (linnet, own) => {
  linnet.app.cache.forgetAll()
  const { status, location } = await linnet.visit(own)
  return location ?? status
}
const created: Act = linnet => statusOf(linnet.api('POST', '/links', { originalUrl: led }))
const switched =
  (enabled: boolean): Act =>
  linnet =>
    statusOf(linnet.api('PATCH', `/admin/plugins/${feature}`, { enabled }))
const asked =
  (path: string): Act =>
  linnet =>
    statusOf(linnet.api('GET', path))
const shown =
  (key: string): Act =>
  async (linnet, { id }) =>
    (await linnet.api('GET', `/links/${id}`)).body.data[key]
/** A text of some megabytes, as no page and no list should have. */
const long = 'low'.repeat(2_000_000)
const objects = ['an empty object', 'an instance of a class'] as const
const tone = { name: 'tone', label: 'Tone', type: 'text' } as const
const tones = (handle: () => unknown) => ({
  summary: 'List the tones',
  scope: 'links:read' as const,
  answer: z.object({ data: z.string() }),
  handle: handle as () => { data: string },
})

/** Makes the account of the caller need the step. */
const marking: Partial<Plugin> = {
  endpoints: {
    'POST /tones': {
      ...tones(() => ({ data: 'low' })),
      scope: 'links:write',
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, true)
        return { data: 'low' }
      },
    },
  },
}
const asking: Question = { text: 'Which tone?', kind: 'code' }
const toneStep: Step = {
  ...{ label: 'Tone', method: 'otp' },
  ask: () => asking,
  check: () => undefined,
}
const toneProvider: Provider = {
  label: 'Tone',
  begin: ({ state }) => ({ redirect: `${led}?state=${state}` }),
  finish: () => somebody,
}
const somebody: Identified = {
  ...{ issuer: led, subject: 'low', email: 'low@example.org', isEmailVerified: true, create: {} },
}
const session = 'api/v1/session'
const nobody = { cookie: '' }

/** Goes to the provider and comes back; passwords would take another thread. */
async function signInElsewhere(linnet: Harness) {
  const { headers, location = '' } = await linnet.visit(`${session}/with/${feature}/tone`)
  const { search: query } = new URL(location)
  const from = `${session}/from/${feature}/tone`
  return linnet.visit(from, { query, headers: { cookie: cookieIn(headers) } })
}

/** Where somebody whose account needs the step is sent on to. */
async function askedForStep(linnet: Harness): Promise<string> {
  const { headers, location = '' } = await signInElsewhere(linnet)
  if (location !== '/') return location
  await linnet.api('POST', '/tones', undefined, { cookie: cookieIn(headers) })
  return (await signInElsewhere(linnet)).location ?? ''
}

const cookieIn = (headers: Readonly<Record<string, unknown>>) =>
  String(headers['set-cookie']).split(';', 1).join()

/** Shows a field as it is stored, whatever that is. */
const asJson = { name: String, schema: z.json(), of: (stored: unknown) => (stored ?? null) as Json }

const rows: Readonly<Record<Hook | `${Hook} ${string}` | 'dimension' | 'label' | 'job', Row>> = {
  setup: {
    part: 'setup',
    plugin: faulty => ({ setup: context => turnOn(faulty, context as Context) }),
    act: switched(true),
    ...{ well: 200, failed: 409, givesAnything: true, isOffAtFirst: true },
  },
  migration: {
    part: 'migration',
    plugin: ({ hook }) => {
      let runs = 0
      // The first is the dry run, which has no transaction.
      const second = async () => (++runs % 2 === 0 ? (hook(undefined)() as undefined) : undefined)
      return { migrations: { '1': second } }
    },
    act: switched(true),
    ...{ well: 200, failed: 409, givesAnything: true, isOffAtFirst: true, isInWriting: true },
  },
  dispose: {
    part: 'dispose',
    plugin: ({ hook }) => ({ dispose: hook(undefined) }),
    act: switched(false),
    ...{ well: 200, failed: 200, givesAnything: true },
  },
  prepare: {
    part: 'prepare',
    plugin: ({ hook }) => ({ prepare: hook(undefined) }),
    act: created,
    takes: ['undefined', 'an empty object'],
    huge: refuse('closed', long),
    ...{ well: 201, failed: 503 },
  },
  validate: {
    part: 'validate',
    plugin: ({ hook }) => ({ validate: hook(undefined) }),
    act: created,
    takes: ['undefined'],
    huge: refuse('closed', long),
    ...{ well: 201, failed: 503 },
  },
  'validate field': {
    part: 'fields.tone',
    plugin: ({ hook }) => {
      const check = hook(undefined)
      const schema = z.string().superRefine(check)
      return { fields: { tone: field(schema, { label: 'Tone', control: 'text' }) } }
    },
    act: (linnet, { id }) => statusOf(linnet.api('PATCH', `/links/${id}`, { tone: 'low' })),
    ...{ well: 200, failed: 503, isPlain: true, givesAnything: true, isInSchema: true },
  },
  store: {
    part: 'fields.tone',
    plugin: ({ hook }) => ({
      fields: { tone: { ...text({ label: 'Tone' }), store: hook('low'), shown: asJson } },
    }),
    act: (linnet, { id }) => statusOf(linnet.api('PATCH', `/links/${id}`, { tone: 'low' })),
    // Any JSON, as much as a link may have.
    takes: [
      'a number',
      'null',
      'a text',
      'a huge text',
      'NaN',
      'a list',
      'a huge list',
      ...objects,
    ],
    seen: { 'a huge text': 422, 'a huge list': 422 },
    ...{ well: 200, failed: 503 },
  },
  'computed field': {
    part: 'fields.tone',
    plugin: ({ hook }) => {
      // Called for each link that is shown, and the hook for one of them.
      const of = (stored: unknown) => (stored === 'low' ? hook('low')() : 'none')
      return { fields: { tone: { ...text({ label: 'Tone' }), shown: { ...asJson, of } } } }
    },
    async act(linnet, own) {
      const { data } = (await linnet.api('PATCH', `/links/${own.id}`, { tone: 'low' })).body
      return data.tone === null ? 'nothing' : 'low'
    },
    takes: ['undefined', 'a number', 'null', 'a text', 'NaN', 'a list', ...objects],
    seen: { undefined: 'nothing', null: 'nothing', NaN: 'nothing' },
    ...{ well: 'low', failed: 'nothing', isPlain: true },
  },
  'compile field': {
    part: 'compile',
    plugin: ({ hook }) => ({
      fields: { tone: { ...text({ label: 'Tone' }), open: hook('low') } },
      guard: () => undefined,
    }),
    act: async (linnet, own) => {
      await linnet.api('PATCH', `/links/${own.id}`, { tone: 'low' })
      return visited(linnet, own)
    },
    ...{ well: led, failed: 503, isPlain: true, givesAnything: true },
  },
  save: {
    part: 'save',
    plugin: ({ hook }) => ({
      fields: { tone: text({ label: 'Tone', stored: false }) },
      save: hook(undefined),
    }),
    act: (linnet, { id }) => statusOf(linnet.api('PATCH', `/links/${id}`, { tone: 'low' })),
    takes: ['undefined'],
    huge: refuse('closed', long),
    ...{ well: 200, failed: 503, isInWriting: true },
  },
  brought: {
    part: 'brought',
    plugin: ({ hook }) => ({
      dimensions: { visits: { label: 'Visits', chart: 'number', of: () => '' } },
      unstable: { brought: hook(undefined) },
      jobs: {
        bring: {
          every: '0 0 1 1 *',
          async run({ links, store }) {
            for await (const [link] of links.all()) {
              if (!link) return
              const key = crypto.randomUUID()
              const added = await links.addVisits(link.accountId, link.id, key, { undated: 1 })
              await store.set('told', isRefusal(added) ? added.status : added)
            }
          },
        },
      },
      endpoints: {
        'GET /tones': endpoint({
          summary: 'Show what became of the visit',
          scope: 'links:read',
          answer: z.object({ data: z.unknown() }),
          handle: async (_, { store }) => ({ data: await store.get('told') }),
        }),
      },
    }),
    async act(linnet) {
      await linnet.run(`${feature}.bring`)
      return (await linnet.api('GET', '/tones')).body.data
    },
    ...{ well: true, failed: 503, givesAnything: true, isInWriting: true },
  },
  handOver: {
    part: 'handOver',
    plugin: ({ hook }) => ({ unstable: { handOver: hook(undefined) } }),
    async act(linnet) {
      const { id } = await addAccount(linnet.db)
      const to = publicId('acc', id)
      const path = `/admin/accounts/${linnet.account.id}/hand-over`
      const { status } = await linnet.api('POST', path, { to })
      // Back again, so that the next one has something to hand over.
      if (status === 200)
        await linnet.api('POST', `/admin/accounts/${to}/hand-over`, { to: linnet.account.id })
      return status
    },
    takes: ['undefined'],
    huge: refuse('closed', long),
    ...{ well: 200, failed: 503, isInWriting: true },
  },
  computed: {
    part: 'computed',
    plugin: ({ hook }) => {
      const of = hook('low')
      const values = (tone: unknown, links: readonly unknown[]) =>
        typeof tone === 'string' ? links.map(() => ({ tone })) : tone
      return {
        computed: {
          schema: { tone: z.string().nullable() },
          of: links => values(of(), links) as { tone: string }[],
        },
      }
    },
    act: shown('tone'),
    takes: ['a text'],
    ...{ well: 'low', failed: null },
  },
  status: {
    part: 'statuses.expired',
    plugin: ({ hook }) => ({
      statuses: { expired: { ...expired, links: context => hook(none(context))() } },
    }),
    // Asked once, for the first link that is shown.
    act: async (linnet, own) => {
      await switched(true)(linnet, own)
      return shown('status')(linnet, own)
    },
    ...{ well: 'active', failed: 'active', isPlain: true, isOffAtFirst: true },
  },
  'status asked for': {
    part: 'statuses.expired',
    plugin: ({ hook }) => ({
      statuses: { expired: { ...expired, links: context => hook(none(context))() } },
    }),
    act: asked('/links?status=expired'),
    ...{ well: 200, failed: 503, isPlain: true },
  },
  filter: {
    part: 'filter',
    plugin: ({ hook }) => ({ filter: { query: { tone: z.string() }, where: hook(undefined) } }),
    act: asked('/links?tone=low'),
    takes: ['undefined'],
    ...{ well: 200, failed: 503 },
  },
  usage: {
    part: 'usage.tonesCount',
    plugin: ({ hook }) => ({ usage: { tonesCount: hook(3) } }),
    act: async linnet => (await linnet.api('GET', '/profile')).body.data.plan.usage.tonesCount,
    ...{ well: 3, failed: 0 },
  },
  guard: {
    part: 'guard',
    plugin: ({ hook }) => ({ guard: () => hook(undefined) }),
    act: visited,
    takes: ['undefined'],
    huge: ask(
      'low',
      Array.from({ length: 100_000 }, () => tone),
    ),
    ...{ well: led, failed: 503 },
  },
  'guard page': {
    part: 'guard',
    plugin: ({ hook }) => ({
      guard: (_, __, { originalUrl }) =>
        originalUrl === led ? hook(page({ heading: 'Tone' })) : undefined,
    }),
    act: visited,
    takes: ['undefined'],
    seen: { undefined: led },
    huge: page({ heading: 'Tone', meta: { tone: long } }),
    ...{ well: 200, failed: 503 },
  },
  'guard claim': {
    part: 'guard.claim',
    plugin: ({ hook }) => ({ guard: () => () => claim(hook(undefined)) }),
    act: visited,
    takes: ['undefined'],
    huge: refuse('closed', long, 403),
    ...{ well: led, failed: 503 },
  },
  compile: {
    part: 'compile',
    plugin: ({ hook }) => ({ guard: hook(undefined) }),
    act: visited,
    takes: ['undefined', 'a function'],
    seen: { 'a function': 503 },
    ...{ well: led, failed: 503 },
  },
  'compile target': {
    part: 'compile',
    plugin: ({ hook }) => ({ target: hook(undefined) }),
    act: visited,
    takes: ['undefined', 'a function'],
    // Nothing can be followed that is no address.
    seen: { 'a function': 503 },
    ...{ well: led, failed: led },
  },
  target: {
    part: 'target',
    plugin: ({ hook }) => ({
      target: (_, __, { originalUrl }) => (originalUrl === led ? hook(`${led}low`) : undefined),
    }),
    act: visited,
    // Nothing can be followed that is no address.
    seen: { 'a text': 503, 'a huge text': 503 },
    huge: { url: led, variant: long },
    ...{ well: 'https://example.com/low', failed: led },
  },
  'target page': {
    part: 'target',
    plugin: ({ hook }) => ({
      target: (_, __, { originalUrl }) =>
        originalUrl === led ? hook(page({ heading: 'Tone' })) : undefined,
    }),
    act: visited,
    // Nothing can be followed that is no address.
    seen: { 'a text': 503, 'a huge text': 503 },
    huge: page({ heading: 'Tone', text: long }),
    ...{ well: 200, failed: led },
  },
  view: {
    part: 'view',
    plugin: ({ hook }) => {
      const link = { label: 'Go', url: led }
      return { views: { '+': hook(page({ heading: 'Tone', link })) } }
    },
    act: (linnet, { shortCode }) => statusOf(linnet.visit(`${shortCode}+`)),
    huge: page({ heading: long }),
    ...{ well: 200, failed: 503 },
  },
  unknown: {
    part: 'unknown',
    plugin: ({ hook }) => ({ unstable: { unknown: hook(redirect(led)) } }),
    act: async linnet => {
      const { status, location } = await linnet.visit('nowhere')
      return location ?? status
    },
    takes: ['undefined'],
    seen: { undefined: 404 },
    huge: refuse('closed', long, 403),
    ...{ well: led, failed: 404 },
  },
  counts: {
    part: 'counts',
    plugin: ({ hook }) => ({
      dimensions: { visitsByTone: { label: 'Tones', of: () => 'low' } },
      unstable: { counts: ({ link }) => (link.originalUrl === led ? hook(false)() : true) },
    }),
    act: async (linnet, own) => {
      await visited(linnet, own)
      return (await linnet.counts(own)).visitsByTone
    },
    ...{ well: {}, failed: { low: 1 }, isPlain: true },
  },
  mail: {
    part: 'mail',
    plugin: ({ hook }) => ({
      unstable: { mail: hook(undefined) },
      jobs: {
        tell: {
          every: '0 0 1 1 *',
          async run({ unstable: { mail }, store }) {
            const refused = await mail.send({ to: 'ada@example.org', subject: 'Low', text: 'low' })
            await store.set('told', refused?.code ?? 'sent')
          },
        },
      },
      endpoints: {
        'GET /tones': endpoint({
          summary: 'Show what became of the mail',
          scope: 'links:read',
          answer: z.object({ data: z.unknown() }),
          handle: async (_, { store }) => ({ data: await store.get('told') }),
        }),
      },
    }),
    async act(linnet) {
      await linnet.run(`${feature}.tell`)
      return (await linnet.api('GET', '/tones')).body.data
    },
    takes: ['undefined'],
    huge: refuse('closed', long, 403),
    ...{ well: 'sent', failed: 'mail_failed' },
  },
  notice: {
    part: 'notice',
    plugin: ({ hook }) => ({
      unstable: { notice: hook(true) },
      jobs: {
        tell: {
          every: '0 0 1 1 *',
          async run({ unstable: { notices }, store }) {
            const words = { title: 'Low', text: 'low', level: 'info' } as const
            const taken = await notices.send({ ...words, to: 'admins' })
            await store.set('told', isRefusal(taken) ? taken.code : taken)
          },
        },
      },
      endpoints: {
        'GET /tones': endpoint({
          summary: 'Show what became of the notice',
          scope: 'links:read',
          answer: z.object({ data: z.unknown() }),
          handle: async (_, { store }) => ({ data: await store.get('told') }),
        }),
      },
    }),
    async act(linnet) {
      await linnet.run(`${feature}.tell`)
      return (await linnet.api('GET', '/tones')).body.data
    },
    huge: refuse('closed', long, 403),
    ...{ well: 1, failed: 'notices_off' },
  },
  examine: {
    part: 'examine',
    plugin: ({ hook }) => ({ unstable: { examine: hook([]) } }),
    async act(linnet) {
      const found: readonly { readonly name: string; readonly says: string }[] = (
        await linnet.api('GET', '/admin/doctor')
      ).body.data
      return found.find(({ name }) => name === feature)?.says ?? 'nothing'
    },
    huge: [{ status: 'problem', says: long, remedy: 'Sing higher.' }],
    well: 'nothing',
    failed: 'This plugin could not say whether something is wrong.',
  },
  ask: {
    part: 'steps tone ask',
    plugin: ({ hook }) => ({
      ...marking,
      unstable: {
        providers: { tone: toneProvider },
        steps: { tone: { ...toneStep, ask: hook(asking) } },
      },
    }),
    act: async linnet => (await askedForStep(linnet)).replace(/=[^=]*$/, ''),
    takes: ['undefined'],
    seen: { undefined: '/?problem' },
    huge: { ...asking, text: long },
    ...{ well: '/#ticket', failed: '/?problem' },
  },
  check: {
    part: 'steps tone check',
    plugin: ({ hook }) => ({
      ...marking,
      unstable: {
        providers: { tone: toneProvider },
        steps: { tone: { ...toneStep, check: hook(undefined) } },
      },
    }),
    async act(linnet) {
      const [, ticket = ''] = (await askedForStep(linnet)).split('#ticket=')
      return statusOf(linnet.api('POST', '/session/step', { ticket, answer: 'low' }, nobody))
    },
    takes: ['undefined'],
    huge: refuse('closed', long),
    ...{ well: 201, failed: 503 },
  },
  begin: {
    part: 'providers tone begin',
    plugin: ({ hook }) => ({
      unstable: { providers: { tone: { ...toneProvider, begin: hook({ redirect: led }) } } },
    }),
    act: async linnet => (await linnet.visit(`${session}/with/${feature}/tone`)).location,
    huge: { redirect: led, keep: long },
    ...{ well: led, failed: '/?problem=sign_in_failed' },
  },
  'begin isReady': {
    part: 'providers tone isReady',
    plugin: ({ hook }) => ({
      unstable: { providers: { tone: { ...toneProvider, isReady: hook(true) } } },
    }),
    act: async linnet => (await linnet.api('GET', '/session')).body.data.providers.length,
    ...{ well: 1, failed: 0, isPlain: true },
  },
  finish: {
    part: 'providers tone finish',
    plugin: ({ hook }) => ({
      unstable: { providers: { tone: { ...toneProvider, finish: hook(somebody) } } },
    }),
    act: async linnet => (await signInElsewhere(linnet)).location,
    huge: { ...somebody, subject: long },
    ...{ well: '/', failed: '/?problem=sign_in_failed' },
  },
  hosts: {
    part: 'hosts',
    plugin: ({ hook }) => ({
      unstable: { hosts: hook([]) },
      endpoints: { 'POST /tones': { ...tones(() => ({ data: 'low' })), scope: 'links:write' } },
    }),
    act: linnet => statusOf(linnet.api('POST', '/tones')),
    // What was changed may not be so for visitors.
    huge: [{ name: long, accountId: 1, rootUrl: null, notFoundUrl: null }],
    ...{ well: 200, failed: 500 },
  },
  on: {
    part: 'on.created',
    plugin: ({ hook }) => ({ on: { created: hook(undefined) } }),
    act: created,
    ...{ well: 201, failed: 201, givesAnything: true },
  },
  'on updated': {
    part: 'on.updated',
    plugin: ({ hook }) => ({ on: { updated: hook(undefined) } }),
    act: (linnet, { id }) => statusOf(linnet.api('PATCH', `/links/${id}`, { archived: true })),
    ...{ well: 200, failed: 200, givesAnything: true },
  },
  'on deleted': {
    part: 'on.deleted',
    plugin: ({ hook }) => ({ on: { deleted: hook(undefined) } }),
    act: (linnet, { id }) => statusOf(linnet.api('DELETE', `/links/${id}`)),
    ...{ well: 204, failed: 204, givesAnything: true },
  },
  'on visited': {
    part: 'on.visited',
    plugin: ({ hook }) => ({ on: { visited: hook(undefined) } }),
    act: async (linnet, own) => {
      const seen = await visited(linnet, own)
      await linnet.app.recorder.catchUp()
      return seen
    },
    ...{ well: led, failed: led, givesAnything: true },
  },
  'on events': {
    part: 'events',
    plugin: ({ hook }) => ({ events: { kinds: ['link'], handle: hook(undefined) } }),
    act: created,
    ...{ well: 201, failed: 201, givesAnything: true },
  },
  endpoint: {
    part: 'GET /tones',
    plugin: ({ hook }) => ({ endpoints: { 'GET /tones': tones(hook({ data: 'low' })) } }),
    act: asked('/tones'),
    takes: ['undefined'],
    seen: { undefined: 404 },
    ...{ well: 200, failed: 500 },
  },
  mount: {
    part: 'mounts tones',
    plugin: ({ hook }) => ({ mounts: { tones: { handle: hook(file('text/plain', 'low', 0)) } } }),
    act: async linnet => statusOf(linnet.visit('tones')),
    takes: ['undefined'],
    seen: { undefined: 404 },
    ...{ well: 200, failed: 500, late: 503 },
  },
  'mount token': {
    part: 'mounts tones token',
    plugin: ({ hook }) => ({
      mounts: { tones: { token: hook(undefined), handle: () => file('text/plain', 'low', 0) } },
    }),
    act: async linnet => statusOf(linnet.visit('tones')),
    takes: ['undefined', 'a text'],
    ...{ well: 200, failed: 500, late: 503 },
  },
  'mount problem': {
    part: 'mounts tones problem',
    plugin: ({ hook }) => ({
      mounts: {
        tones: { handle: () => undefined, problem: hook(file('text/plain', 'low', 0)) },
      },
    }),
    act: async linnet => (await linnet.visit('tones')).headers['content-type'],
    ...{ well: 'text/plain', failed: 'application/problem+json', isPlain: true },
  },
  'endpoint file': {
    part: 'GET /tones',
    plugin: ({ hook }) => ({
      endpoints: {
        'GET /tones': { ...tones(hook(file('text/plain', 'low', 0))), media: ['text/plain'] },
      },
    }),
    act: asked('/tones'),
    takes: ['undefined'],
    seen: { undefined: 404 },
    huge: file(long, 'low', 0),
    ...{ well: 200, failed: 500 },
  },
  'endpoint version': {
    part: 'GET /tones/:id',
    plugin: ({ hook }) => ({
      endpoints: { 'GET /tones/:id': { ...tones(() => ({ data: 'low' })), version: hook('1') } },
    }),
    act: asked('/tones/low'),
    // Any JSON, but no promise of it.
    takes: [
      'a number',
      'null',
      'a text',
      'a huge text',
      'NaN',
      'a list',
      'a huge list',
      ...objects,
    ],
    ...{ well: 200, failed: 500, isPlain: true },
  },
  'view open': {
    part: 'view',
    plugin: ({ hook }) => {
      const link = { label: 'Go', url: led }
      return { unstable: { openViews: { '+': hook(page({ heading: 'Tone', link })) } } }
    },
    act: (linnet, { shortCode }) => statusOf(linnet.visit(`${shortCode}+`)),
    ...{ well: 200, failed: 503 },
  },
  'endpoint group': {
    part: 'groups /tones',
    plugin: ({ hook }) => ({ groups: { '/tones': { summary: 'Tones', links: hook(undefined) } } }),
    act: asked('/tones/low/analytics'),
    takes: ['undefined'],
    seen: { undefined: 404 },
    ...{ well: 404, failed: 500 },
  },
  'endpoint addresses': {
    part: 'POST /tones addresses',
    plugin: ({ hook }) => ({
      endpoints: {
        'POST /tones': {
          ...tones(() => ({ data: 'low' })),
          scope: 'links:write',
          addresses: hook([]),
        },
      },
    }),
    act: linnet => statusOf(linnet.api('POST', '/tones')),
    huge: Array.from({ length: 100_000 }, () => ({ field: 'tone', url: led })),
    ...{ well: 200, failed: 500, isPlain: true },
  },
  'endpoint body': {
    part: 'POST /tones',
    plugin: ({ hook }) => ({
      endpoints: {
        'POST /tones': {
          ...tones(() => ({ data: 'low' })),
          scope: 'links:write',
          body: z.strictObject({ tone: z.string().transform(hook('low')) }),
        },
      },
    }),
    act: linnet => statusOf(linnet.api('POST', '/tones', { tone: 'low' })),
    ...{ well: 200, failed: 503, isPlain: true, givesAnything: true, isInSchema: true },
  },
  'endpoint limit': {
    part: 'POST /tones',
    plugin: ({ hook }) => ({
      limits: { maxTones: { label: 'Tones', used: 'tonesCount' } },
      usage: { tonesCount: hook(3) },
      endpoints: {
        'POST /tones': {
          ...tones(() => ({ data: 'low' })),
          scope: 'links:write',
          limit: 'maxTones',
        },
      },
    }),
    act: linnet => statusOf(linnet.api('POST', '/tones')),
    ...{ well: 200, failed: 500, isInWriting: true },
  },
  dimension: {
    part: 'dimensions.visitsByTone.of',
    plugin: ({ hook }) => ({
      dimensions: { visitsByTone: { label: 'Tones', of: ({ at }) => (at ? hook('low')() : '') } },
    }),
    act: async (linnet, own) => {
      await visited(linnet, own)
      return (await linnet.counts(own)).visitsByTone
    },
    takes: ['undefined', 'a text', 'a huge text'],
    seen: { undefined: {}, 'a huge text': { [long.slice(0, 128)]: 1 } },
    ...{ well: { low: 1 }, failed: {}, isPlain: true },
  },
  job: {
    part: 'work',
    plugin: ({ hook }) => ({ jobs: { work: { every: '0 3 * * *', run: hook(undefined) } } }),
    // Whoever waits for it is answered after five seconds.
    act: linnet => statusOf(linnet.api('POST', `/admin/jobs/${feature}.work/run`)),
    ...{ well: 200, failed: 200, givesAnything: true, isUnbounded: true },
  },
  label: {
    part: 'dimensions.visitsByTone.labelOf',
    plugin: ({ hook }) => ({
      dimensions: { visitsByTone: { label: 'Tones', of: () => 'low', labelOf: hook('Low') } },
    }),
    act: async (linnet, own) => {
      await visited(linnet, own)
      const { body } = await linnet.api('GET', `/links/${own.id}/analytics`)
      return body.data.visitsByTone[0].label
    },
    takes: ['undefined', 'null', 'a text'],
    seen: { undefined: 'low', null: 'low', 'a text': 'low' },
    ...{ well: 'Low', failed: 'low', isPlain: true },
  },
}

/** Their names, what they are, and their places in the list. */
export const hooks = Object.entries(rows).map(([hook, row], place) => [hook, row, place] as const)

function turnOn(faulty: Faulty, context: Context): undefined {
  faulty.context = context
  return faulty.hook(undefined)()
}

const expired = { label: 'Expired', rank: 700 }

const none = ({ db }: Context) => db.selectFrom('a_faulty_none').select('link_id')

/** What the hook does instead of what it should: `well` is what it should give. */
type Does = (context: Context | undefined, well: unknown) => unknown

/**
 * A linnet with the plugin that does something wrong, once each time that `begin` is called, and with one that is well.
 * Resolves once the hook was called, with what one will see of it.
 */
export async function setUpRow(row: Row) {
  let due: Does | undefined
  let hasBegun = false
  const faulty: Faulty = {
    context: undefined,
    hook: well => () => {
      const does = due
      if (!does) return well
      due = undefined
      hasBegun = true
      return does(faulty.context, well) as typeof well
    },
  }
  linnet = await boot(
    [
      well,
      definePlugin({
        feature,
        about: 'Does something wrong.',
        setup(context) {
          faulty.context = context as Context
        },
        migrations: {
          '1': async db => {
            await db.schema.createTable('a_faulty_none').addColumn('link_id', 'integer').execute()
          },
        },
        ...row.plugin(faulty),
      } as Plugin),
    ],
    row.isOffAtFirst && { settings: { plugins: { off: [feature] } } },
  )
  const begin = async (does: Does) => {
    const own = await linnet.create()
    hasBegun = false
    due = does
    const seen = row.act(linnet, own)
    await until(() => hasBegun)
    return { seen }
  }
  return { begin }
}

/** Somebody else's. */
const well = definePlugin({
  feature: 'b.well',
  about: 'Says how links feel.',
  fields: { mood: text({ label: 'Mood', max: 10 }) },
  target:
    ({ mood }) =>
    (_, url) =>
      mood ? `${url}?mood=${mood}` : url,
  dimensions: { visitsByMood: { label: 'Moods', of: () => 'calm' } },
})

/** A link of the other plugin is made, followed and counted, while no time passes. */
export async function expectOthersWell(isInWriting = false): Promise<void> {
  if (isInWriting) return
  const link = await linnet.create({ originalUrl: 'https://others.example/', mood: 'calm' })
  expect((await linnet.visit(link)).location).toBe('https://others.example/?mood=calm')
  expect((await linnet.counts(link)).visitsByMood).toEqual({ calm: 1 })
}

async function untilStopped(): Promise<void> {
  let isOver = false
  const stopping = linnet.stop().finally(() => {
    isOver = true
  })
  for (let seconds = 0; !isOver && seconds < 600; seconds += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    await turn()
  }
  expect(isOver).toBe(true)
  await stopping
}

/** Turns of the event loop, and not time: nothing here waits for anything else. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    if (turns > 5_000) throw new Error(`This never comes: ${isSo}. ${linnet.log.join('\n')}`)
    await turn()
  }
}

/** Whether a line of the log names the plugin and the hook of the row, and begins to say why so. */
export function isNamed({ part }: Row, why: string): (line: string) => boolean {
  return line => new RegExp(`^(The job )?${feature}[ .]${part} failed: ${why}`).test(line)
}

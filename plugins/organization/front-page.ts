import {
  type Context,
  definePlugin,
  endpoint,
  type Fields,
  file,
  isRefusal,
  page,
  redirect,
  refuse,
  toggle,
  z,
} from '../../core/plugin.ts'
import {
  afterChange,
  type Chosen,
  changeSchema,
  chosenSchema,
  inputs,
  usual,
} from './front-page/choices.ts'
import { crawlableLinks, makeTable, noteCrawlable, type Tables } from './front-page/crawlable.ts'
import { securityText } from './front-page/security-text.ts'

const key = 'chosen'

interface State {
  /** Read by every visit of the bare address and of unknown codes. */
  chosen: Chosen
  readonly crawlable: ReturnType<typeof crawlableLinks>
}

type OwnContext = Context<Fields, State, Tables>

const answer = z.strictObject({
  data: chosenSchema.extend({
    frontAddress: z.string(),
    frontAnswer: z.string().meta({ description: 'What visitors of it get now.' }),
    unknownAnswer: z.string(),
    robotsAddress: z.string(),
    robotsAnswer: z.string().meta({ description: 'The robots.txt of the main host.' }),
    securityAddress: z.string(),
    securityAnswer: z.string().meta({ description: 'The security.txt of all hosts.' }),
  }),
})

const from = 'GET /admin/front-page'
const change = 'PATCH /admin/front-page'

export default definePlugin<Tables>()({
  feature: 'organization.frontPage',
  about:
    'Choose what the main host shows at its bare address, for unknown short codes and to search engines.',
  label: 'Front page',
  fields: {
    crawlable: toggle({
      label: 'Search engines may index it',
      hint: 'Otherwise they are asked to leave the short URL out. What the link leads to is not concerned.',
    }),
  },
  migrations: { '001-crawlable': makeTable },
  async setup(context): Promise<State> {
    const { store, news, now } = context
    // What was kept before there was another choice lacks it.
    const read = async () => chosenSchema.parse({ ...usual, ...Object(await store.get(key)) })
    const state = {
      chosen: await read(),
      crawlable: crawlableLinks(context, () => now().getTime()),
    }
    news.on(async () => {
      state.chosen = await read()
    })
    return state
  },

  async save(link, { crawlable }, context) {
    if (crawlable !== undefined) await noteCrawlable(link, crawlable, context)
    return undefined
  },
  target({ crawlable }) {
    if (!crawlable) return
    return (_, url) => ({ url, headers: { 'X-Robots-Tag': 'all' } })
  },

  mounts: {
    'robots.txt': {
      methods: ['GET'],
      hosts: 'all',
      handle: async ({ host, accountId }, context) =>
        file('text/plain; charset=utf-8', await robotsOn(context, host, accountId), 300),
    },
    '.well-known/security.txt': {
      methods: ['GET'],
      hosts: 'all',
      handle(_, context) {
        const said = securityOf(context)
        return said ? file('text/plain; charset=utf-8', said, 300) : undefined
      },
    },
    'favicon.ico': {
      methods: ['GET'],
      handle(_, { unstable }) {
        const [, type, content] =
          /^data:([^;,]+);base64,(.+)$/.exec(unstable.brand().logo ?? '') ?? []
        return type && content ? file(type, Buffer.from(content, 'base64'), 3_600) : undefined
      },
    },
  },

  endpoints: {
    [from]: endpoint({
      summary: 'Show what the main host answers besides links',
      scope: 'admin',
      answer,
      handle: async (_, context: OwnContext) => ({ data: await shown(context) }),
    }),
    [change]: endpoint({
      summary: 'Choose what the main host answers besides links',
      scope: 'admin',
      body: changeSchema,
      answer,
      addresses: ({ frontUrl, unknownUrl }) =>
        Object.entries({ frontUrl, unknownUrl }).flatMap(([field, url]) =>
          url ? { field, url } : [],
        ),
      unstable: { tries: true },
      async handle({ body, isDry }, context: OwnContext) {
        const { state, store, news, links } = context
        const after = afterChange(state.chosen, body, links.leadsBack)
        if (isRefusal(after)) return after
        if (isDry) return { data: await shown({ ...context, state: { ...state, chosen: after } }) }
        await store.set(key, after)
        state.chosen = after
        await news.tell()
        return { data: await shown(context) }
      },
    }),
  },

  unstable: {
    // On hosts of accounts, these say it themselves.
    unknown({ host, path }, context) {
      if (host !== '') return undefined
      return path === '' ? frontOf(context) : lostOf(context)
    },
    dashboard: {
      page: {
        label: 'Front page',
        icon: 'globe',
        lead: 'What the main host shows besides links.',
        panels: [
          {
            title: 'Main host',
            from,
            rows: {
              frontAddress: { label: 'Front page', as: 'address' },
              frontAnswer: { label: 'Visitors get' },
              unknownAnswer: { label: 'Unknown short codes' },
              robotsAddress: { label: 'For search engines', as: 'address' },
              robotsAnswer: { label: 'They read' },
              securityAddress: { label: 'For security reports', as: 'address' },
              securityAnswer: { label: 'security.txt' },
            },
            form: { call: change, fields: inputs, submit: 'Save front page' },
          },
        ],
      },
    },
  },
})

function frontOf({ state: { chosen }, links }: Pick<OwnContext, 'state' | 'links'>) {
  const { front, frontUrl, frontTitle, frontText, robots } = chosen
  if (front === 'address' && frontUrl) return redirect(frontUrl)
  if (front === 'text' && frontTitle) {
    const headers = robots === 'allow' ? { headers: { 'X-Robots-Tag': 'all' } } : {}
    return page({ heading: frontTitle, ...(frontText && { text: frontText }), ...headers })
  }
  if (front === 'nothing') return nothing
  const dashboard = elsewhere(links)
  return front === 'dashboard' && dashboard ? redirect(dashboard) : undefined
}

function lostOf({ state: { chosen } }: Pick<OwnContext, 'state'>) {
  const { unknown, unknownUrl } = chosen
  return unknown === 'address' && unknownUrl ? redirect(unknownUrl) : undefined
}

const nothing = refuse(
  'not_found',
  {
    en: 'There is nothing here.',
    de: 'Hier ist nichts.',
    fr: 'Il n’y a rien ici.',
    es: 'Aquí no hay nada.',
  },
  404,
)

/** The dashboard, if it has another host than short URLs. */
function elsewhere(links: OwnContext['links']): string | undefined {
  const dashboard = new URL('/', links.apiUrl('')).href
  return dashboard === links.mainUrl() ? undefined : dashboard
}

async function robotsOn({ state }: OwnContext, host: string, accountId?: number): Promise<string> {
  const { robots, robotsText } = state.chosen
  if (robots === 'text' && robotsText) return `${robotsText}\n`
  if (robots === 'allow') return 'User-agent: *\nAllow: /\n'
  const paths = await state.crawlable(host, accountId)
  const allowed = paths.map(path => `Allow: ${path}$\n`).join('')
  return `User-agent: *\n${allowed}Disallow: /\n`
}

function securityOf({ state, now }: Pick<OwnContext, 'state' | 'now'>): string | undefined {
  const { securityContact } = state.chosen
  return securityContact === null ? undefined : securityText(securityContact, now())
}

/** What was chosen, and what becomes of it. */
async function shown(context: OwnContext) {
  const { state, links } = context
  const frontAddress = links.mainUrl()
  const front = frontOf(context)
  const lost = lostOf(context)
  const home = elsewhere(links) ? 'Nothing (404)' : 'The dashboard'
  return {
    ...state.chosen,
    frontAddress,
    frontAnswer: front ? said(front) : home,
    unknownAnswer: lost ? said(lost) : 'A page that says so (404)',
    robotsAddress: `${frontAddress}robots.txt`,
    robotsAnswer: await robotsOn(context, ''),
    securityAddress: `${frontAddress}.well-known/security.txt`,
    securityAnswer: securityOf(context) ?? 'Nothing (404)',
  }
}

function said(outcome: NonNullable<ReturnType<typeof frontOf>>): string {
  if (outcome.kind === 'redirect') return `302 → ${outcome.url}`
  if (outcome.kind === 'page') return `200 · ${outcome.heading}`
  return 'Nothing (404)'
}

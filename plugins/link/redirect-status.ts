import {
  definePlugin,
  type Field,
  field,
  type LinkParts,
  number,
  optional,
  type RedirectStatus,
  refuse,
  z,
} from '../../core/plugin.ts'

const statuses = [301, 302, 307, 308] as const
type Status = (typeof statuses)[number]

/** The status that browsers keep nothing of, and that says least of the link. */
const usual = 302

const lasting: ReadonlySet<RedirectStatus> = new Set([301, 308])

const year = 31_536_000

/** Targets that lead everybody alike who has the same URL, so that a browser may keep their answer. */
const alike: ReadonlySet<string> = new Set([
  ...['link.redirectStatus', 'link.paths', 'link.queryForwarding', 'organization.frontPage'],
])

const seconds = { label: 'Seconds that browsers keep the redirect', min: 1, max: year }

const settings = {
  status: statusField({
    label: 'Usual redirect status',
    hint: 'For links that do not say otherwise. With 302 they cost the least.',
    default: usual,
  }),
  cacheSeconds: optional(
    number({
      ...seconds,
      hint: 'For links that do not say otherwise, and redirect with 301 or 308. Visits meanwhile are not counted.',
    }),
  ),
}

export default definePlugin({
  feature: 'link.redirectStatus',
  about: 'Choose the status with which a link redirects, and how long browsers may keep it.',
  settings,
  fields: {
    redirectStatus: statusField({
      label: 'Redirect status',
      hint: 'Leave empty for the usual one of this instance. A link with a password, dates, a limit of visits or routing rules redirects with 302.',
    }),
    redirectCacheSeconds: number({
      ...seconds,
      hint: 'Only with 301 or 308. Visits from a browser that keeps the redirect are not counted, and changes of the link do not reach it before.',
    }),
  },

  validate({ fields, stored }, { settings }) {
    const { redirectStatus, redirectCacheSeconds } = fields
    if (redirectStatus === undefined && redirectCacheSeconds === undefined) return
    const kept =
      redirectCacheSeconds === undefined ? stored.redirectCacheSeconds : redirectCacheSeconds
    const status = (redirectStatus === undefined ? stored.redirectStatus : redirectStatus) as
      | Status
      | null
      | undefined
    if (!kept || lasting.has(status ?? settings.status)) return
    const wrong = redirectCacheSeconds ? 'redirectCacheSeconds' : 'redirectStatus'
    const problem = redirectCacheSeconds
      ? 'Browsers keep redirects with 301 and 308 only. Choose one of them, or leave this empty.'
      : 'Browsers keep redirects with 301 and 308 only. Choose one of them, or empty the seconds that browsers keep the redirect.'
    return refuse('validation_failed', problem, 422, wrong)
  },

  computed: {
    schema: {
      redirectForcedBy: z.array(z.string()).meta({
        description:
          'The features because of which the link redirects with 302, in place of its redirect status.',
        examples: [['link.passwordProtection']],
      }),
    },
    atFirst: { redirectForcedBy: [] },
    async of(links, { settings, unstable }) {
      const parts = await unstable.links.partsOf(links)
      return links.map(({ rowId }) => {
        const of = parts.get(rowId)
        const isUsual = (of?.own.redirectStatus ?? settings.status) === usual
        return { redirectForcedBy: of && !isUsual ? forcing(of) : [] }
      })
    },
  },

  async target({ redirectStatus, redirectCacheSeconds }, { settings, unstable }, link) {
    const status = redirectStatus ?? settings.status
    if (status === usual) return
    const parts = (await unstable.links.partsOf([link])).get(link.rowId)
    if (!parts || forcing(parts).length > 0) return
    const kept = lasting.has(status) ? (redirectCacheSeconds ?? settings.cacheSeconds) : undefined
    const headers = kept && { 'Cache-Control': `private, max-age=${kept}` }
    return (_, url) => ({ url, status, ...(headers && { headers }) })
  },

  unstable: {
    dashboard: {
      columns: {
        redirectStatus: { label: 'Redirect status' },
        redirectForcedBy: {
          label: 'Redirects with 302',
          words: {
            'link.passwordProtection': { label: '302 for the password', tone: 'warning' },
            'link.linkExpiration': { label: '302 for dates or limit', tone: 'warning' },
            'link.dynamicRouting': { label: '302 for rules', tone: 'warning' },
            'link.confirmation': { label: '302 for the page before', tone: 'warning' },
          },
        },
      },
    },
  },
})

/** What is decided anew at each visit must not be kept, and keeps the link at 302. */
function forcing({ guards, targets }: LinkParts): string[] {
  return [...guards, ...targets.filter(feature => !alike.has(feature))]
}

function statusField(options: {
  readonly label: string
  readonly hint: string
  readonly default?: Status
}): Field<Status, Status> {
  const labels = {
    301: '301 – for good',
    302: '302 – for now',
    307: '307 – for now',
    308: '308 – for good',
  }
  return { ...field(z.literal(statuses), { ...options, control: 'choice' }), labels }
}

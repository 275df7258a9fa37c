import {
  type CodeRules,
  definePlugin,
  endpoint,
  type Follow,
  field,
  follow,
  isWebAddress,
  refuse,
  shownAddress,
  z,
} from '../../core/plugin.ts'
import { makeTable, openHosts, type Tables } from './paths/hosts.ts'
import { append, fillTemplate, hasDots, type Lead, wrongWithTemplate } from './paths/template.ts'

/** The longest rest that is looked at, in characters. */
const maxRest = 2_048

/** A code has at most so many parts between slashes. */
const maxParts: Readonly<Record<CodeRules['grammar'], number>> = { narrow: 1, wide: 8 }

const paths = z
  .string()
  .max(1_000)
  .superRefine((text, context) => {
    const message = text === 'append' ? undefined : wrongWithTemplate(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({
    description:
      '`append`, or a template of a path, query and fragment with the placeholders `{1}` to `{9}`, `{*}` and `{query.name}`.',
    examples: ['append', '/issues/{1|new}?q={query.q}'],
  })

const preview = z.strictObject({
  paths,
  originalUrl: z.url({ protocol: /^https?$/ }).max(8_192),
  rest: z.string().max(maxRest).default('').meta({
    description:
      'What stands behind the short code, without its first slash and without the query.',
  }),
  query: z.string().max(maxRest).default(''),
})

export default definePlugin<Tables>()({
  feature: 'link.paths',
  label: 'Paths after the code',
  about:
    'Add what visitors write behind a short code to the original URL, or put it into a template.',
  fields: {
    paths: field(paths, {
      label: 'Paths after the code',
      hint: 'append, or a template such as /issues/{1} on the host of the original URL.',
      control: 'paths',
    }),
  },
  migrations: { '001-hosts': makeTable },
  setup: context => openHosts(context),

  async validate({ domain, originalUrl, fields, stored }, { state }) {
    if (!(fields.paths === undefined ? stored.paths : fields.paths)) return undefined
    if (!isWebAddress(originalUrl)) return fields.paths ? forWebAlone : noPathsThere
    // Before the link is saved, so that nobody finds it without its paths.
    await state.note(domain)
    return undefined
  },
  on: {
    // Whoever may not use the feature any more keeps the paths of a link, and may move it to another host.
    async updated(link, { state, links }) {
      if (link.changed.includes('domain') && (await links.ownFields(link)).paths) {
        await state.note(link.domain)
      }
    },
  },

  target({ paths }) {
    if (!paths) return
    const lead = leadOf(paths)
    // A template is for the original URL, and not for that of a rule, which may be on another host.
    return (visit, url) =>
      paths === 'append' || url === visit.link.originalUrl ? lead(url, visit) : url
  },

  unstable: {
    unknown({ host, path }, { state, unstable }) {
      if (!state.has(host)) return undefined
      return longestFirst(path, maxParts[unstable.codes.rulesOf(host).grammar])
    },
  },

  endpoints: {
    'POST /link-paths/preview': endpoint({
      summary: 'Show where a link would lead with something behind its short code',
      scope: 'links:read',
      body: preview,
      answer: z.strictObject({ data: z.strictObject({ url: shownAddress }) }),
      handle({ body: { paths, originalUrl, rest, query } }) {
        const brought = { rest: isFit(rest) ? rest : '', query: new URLSearchParams(query) }
        return { data: { url: leadOf(paths)(originalUrl, brought) } }
      },
    }),
  },
})

const forWebAlone = refuse(
  'validation_failed',
  'Paths after the code are for http and https URLs.',
  422,
  'paths',
)

const noPathsThere = refuse(
  'validation_failed',
  'The link takes paths after its code, which are for http and https URLs. Empty them, or enter such a URL.',
  422,
  'originalUrl',
)

function leadOf(paths: string): Lead {
  return paths === 'append' ? append : fillTemplate(paths)
}

/** Follows the longest code that a path begins with, of the links that take what is behind it. */
function longestFirst(path: string, most: number): Follow | undefined {
  const parts = path.split('/', most + 1)
  let found: Follow | undefined
  let code = ''
  for (const part of parts.slice(0, most)) {
    if (part === '') return undefined
    code = code === '' ? part : `${code}/${part}`
    const rest = path.slice(code.length + 1)
    if (rest === '') break
    if (!isFit(rest)) continue
    found = follow(code, found, rest)
  }
  return found
}

/** Nothing that programs read in several ways is put behind a host: empty parts, dots. */
function isFit(rest: string): boolean {
  return rest.length <= maxRest && !/^\/|\/\//.test(rest) && !hasDots(rest)
}

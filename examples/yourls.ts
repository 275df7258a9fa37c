import {
  type Called,
  type Context,
  definePlugin,
  file,
  isRefusal,
  type MountAsked,
  type MountRequest,
  type Refusal,
  refuse,
  z,
} from 'linnet/plugin'

/** The members of a link in the API that YOURLS has too. */
const link = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  originalUrl: z.string(),
  title: z.string().nullable(),
  createdAt: z.string(),
  visits: z.object({ total: z.number() }),
})
const answered = z.object({ data: link })
const refused = z.object({ code: z.string(), detail: z.string() })

/** An answer of YOURLS. `simple` is the whole answer in the format of that name, as plain text. */
interface Said {
  readonly statusCode: number
  readonly message: string
  readonly simple: string
  readonly [name: string]: unknown
}

/**
 * Lets programs written for YOURLS (https://yourls.org/docs/guide/advanced/api) create and look up links: the heart of
 * `developer.yourls`, which comes with Linnet and does the rest, so switch only one of them on. Their `signature`, or their
 * password, is an API token with the scope `links:write`; user names are ignored.
 */
export default definePlugin({
  feature: 'custom.yourls',
  label: 'YOURLS',
  group: 'Developer',
  about: 'Answer programs that were written for the API of YOURLS.',
  needs: ['developer.apiKeys', 'link.customShortCode'],
  mounts: {
    'yourls-api.php': {
      // ShareX sends its form as if it had files.
      bodies: ['form', 'multipart', 'json'],
      token: ({ input }) => input.signature ?? input.password,
      // Browser extensions call it from any page. Only the token gives access.
      origins: '*',
      async handle(request, context) {
        const { action = '' } = request.input
        const act = (Object.hasOwn(actions, action) && actions[action]) || unknownAction
        const said = await act(request, context)
        return isRefusal(said) ? said : written(said, request)
      },
      problem: (refusal, asked) => written(failed(refusal), asked),
    },
  },
})

type Action = (request: MountRequest, context: Context) => Promise<Said | Refusal>

const actions: Readonly<Record<string, Action>> = {
  async shorturl({ input: { url = '', keyword, title }, caller }, { links }) {
    const owner = await caller('links:write')
    if (isRefusal(owner)) return owner
    const wish = { ...(keyword && { shortCode: keyword }), ...(title && { title }) }
    const made = await links.create(owner, { originalUrl: url, ...wish })
    if (isRefusal(made)) return made
    const { shortCode, originalUrl } = made
    const name = made.title ?? originalUrl
    const shorturl = links.shortUrl(made)
    return {
      status: 'success',
      url: { keyword: shortCode, url: originalUrl, title: name },
      message: `${originalUrl} added to database`,
      title: name,
      shorturl,
      statusCode: 200,
      simple: shorturl,
    }
  },

  async expand({ input: { shorturl = '' }, caller }, { links }) {
    const owner = await caller('links:read')
    if (isRefusal(owner)) return owner
    const { code, host } = readShortUrl(shorturl)
    const found = await links.findByCode(code, host)
    // A token sees the links of its own account.
    if (found?.accountId !== owner.accountId) return notFound
    const { shortCode, originalUrl, title } = found
    const shown = { keyword: shortCode, shorturl: links.shortUrl(found), longurl: originalUrl }
    return { ...shown, title, message: 'success', statusCode: 200, simple: originalUrl }
  },

  async 'url-stats'({ input: { shorturl = '' }, call }) {
    const { code, host } = readShortUrl(shorturl)
    const query = new URLSearchParams({ shortCode: code, ...(host && { domain: host }) })
    const found = await call('GET', `/links/lookup?${query}`)
    if (found.status !== 200) return refusalOf(found)
    return {
      statusCode: 200,
      message: 'success',
      link: statsOf(answered.parse(found.body).data),
      simple,
    }
  },
}

const simple = 'Need either XML or JSON format for stats'
const notFound = refuse('not_found', 'Error: short URL not found', 404)

function statsOf({ shortUrl, originalUrl, title, createdAt, visits }: z.output<typeof link>) {
  const timestamp = createdAt.replace('T', ' ').slice(0, 19)
  const clicks = `${visits.total}`
  // YOURLS has the address of whoever made the link; Linnet stores none.
  return { shorturl: shortUrl, url: originalUrl, title: title ?? '', timestamp, ip: '', clicks }
}

/** A keyword, or a whole short URL, perhaps of a custom domain. */
function readShortUrl(text: string): { readonly code: string; readonly host?: string } {
  const url = URL.parse(text)
  return url?.host ? { code: url.pathname.slice(1), host: url.host } : { code: text }
}

async function unknownAction(): Promise<Refusal> {
  return refuse('action', 'Unknown or missing "action" parameter', 400)
}

function refusalOf({ status, body }: Called): Refusal {
  const { code, detail } = refused.parse(body)
  return refuse(code, detail, status)
}

/** What YOURLS calls refusals of Linnet. */
const named: Readonly<Record<string, string>> = {
  short_code_taken: 'keyword',
  validation_failed: 'nourl',
}

/** YOURLS asks to log in with 403, and knows no finer words for what is wrong than 400. */
function failed({ code, detail, status }: Refusal): Said {
  const statusCode = status === 401 ? 403 : status === 409 || status === 422 ? 400 : status
  const errors = { code: `error:${named[code] ?? code}`, errorCode: `${statusCode}` }
  return { status: 'fail', ...errors, message: detail, statusCode, simple: detail }
}

function written(
  { simple, ...said }: Said,
  { input: { format = 'xml', callback = '' } }: MountAsked,
) {
  const { statusCode } = said
  // Numbers are texts in its answers.
  const shown = { ...said, statusCode: `${statusCode}` }
  const json = JSON.stringify(shown)
  if (format === 'json') return file('application/json', json, 0, statusCode)
  if (format === 'jsonp' && /^[\w.$]{1,100}$/.test(callback)) {
    return file('application/javascript', `/**/${callback}(${json})`, 0, statusCode)
  }
  if (format === 'xml') {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<result>${xmlOf(shown)}</result>`
    return file('application/xml', xml, 0, statusCode)
  }
  // Of any format that it does not know, such as JSON in capitals, YOURLS makes the simple one.
  return file('text/plain; charset=utf-8', simple, 0, statusCode)
}

function xmlOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escaped(`${value ?? ''}`)
  return Object.entries(value)
    .map(([name, part]) => `<${name}>${xmlOf(part)}</${name}>`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, letter => `&#${letter.charCodeAt(0)};`)
}

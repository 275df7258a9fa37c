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
 * Lets programs written for YOURLS (https://yourls.org/docs/guide/advanced/api) create and look up links. Their
 * `signature`, or their password, is an API token; user names are ignored. It has neither `stats` nor `db-stats`, and
 * does not accept time-limited signatures with a `timestamp`.
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

  async expand(request) {
    const found = await lookUp(request)
    if (found.status !== 200) return refusalOf(found)
    const { shortCode, shortUrl, originalUrl } = answered.parse(found.body).data
    const shown = { keyword: shortCode, shorturl: shortUrl, longurl: originalUrl }
    return { ...shown, message: 'success', statusCode: 200, simple: originalUrl }
  },

  async 'url-stats'(request) {
    const found = await lookUp(request)
    if (found.status !== 200) return refusalOf(found)
    const { shortUrl, originalUrl, title, createdAt, visits } = answered.parse(found.body).data
    const timestamp = createdAt.replace('T', ' ').slice(0, 19)
    return {
      statusCode: 200,
      message: 'success',
      link: { shorturl: shortUrl, url: originalUrl, title, timestamp, clicks: visits.total },
      simple: 'Need either XML or JSON format for stats',
    }
  },
}

async function unknownAction(): Promise<Refusal> {
  return refuse('action', 'Unknown or missing "action" parameter', 400)
}

/** Finds a link by its code or by its whole short URL. */
function lookUp({ input: { shorturl = '' }, call }: MountRequest): Promise<Called> {
  const code = shorturl.slice(shorturl.lastIndexOf('/') + 1)
  return call('GET', `/links/lookup?shortCode=${encodeURIComponent(code)}`)
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
  const json = JSON.stringify(said)
  if (format === 'json') return file('application/json', json, 0, statusCode)
  if (format === 'jsonp' && /^[\w.$]{1,100}$/.test(callback)) {
    return file('application/javascript', `/**/${callback}(${json})`, 0, statusCode)
  }
  if (format === 'xml') {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<result>${xmlOf(said)}</result>`
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

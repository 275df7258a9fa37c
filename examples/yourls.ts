import { type Called, definePlugin, file, z } from 'linnet/plugin'

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

type Input = Readonly<Record<string, string>>
type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: Readonly<Record<string, string>>,
) => Promise<Called>

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
      token: ({ signature, password }) => signature ?? password,
      // Browser extensions call it from any page. Only the token gives access.
      origins: '*',
      async handle({ input, call }) {
        const said = await (actions[input.action ?? ''] ?? unknownAction)(input, call)
        return written(said, input)
      },
    },
  },
})

const actions: Readonly<Record<string, (input: Input, call: Call) => Promise<Said>>> = {
  async shorturl({ url = '', keyword, title }, call) {
    const wish = { ...(keyword && { shortCode: keyword }), ...(title && { title }) }
    const made = await call('POST', '/links', { originalUrl: url, ...wish })
    if (made.status !== 201) return failed(made)
    const { shortCode, shortUrl, originalUrl, title: name } = answered.parse(made.body).data
    return {
      status: 'success',
      url: { keyword: shortCode, url: originalUrl, title: name ?? originalUrl },
      message: `${originalUrl} added to database`,
      title: name ?? originalUrl,
      shorturl: shortUrl,
      statusCode: 200,
      simple: shortUrl,
    }
  },

  async expand(input, call) {
    const found = await lookUp(input, call)
    if (found.status !== 200) return failed(found)
    const { shortCode, shortUrl, originalUrl } = answered.parse(found.body).data
    const shown = { keyword: shortCode, shorturl: shortUrl, longurl: originalUrl }
    return { ...shown, message: 'success', statusCode: 200, simple: originalUrl }
  },

  async 'url-stats'(input, call) {
    const found = await lookUp(input, call)
    if (found.status !== 200) return failed(found)
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

async function unknownAction(): Promise<Said> {
  const message = 'Unknown or missing "action" parameter'
  return { statusCode: 400, message, simple: message }
}

/** Finds a link by its code or by its whole short URL. */
function lookUp({ shorturl = '' }: Input, call: Call): Promise<Called> {
  const code = shorturl.slice(shorturl.lastIndexOf('/') + 1)
  return call('GET', `/links/lookup?shortCode=${encodeURIComponent(code)}`)
}

function failed({ status, body }: Called): Said {
  const { code, detail } = refused.parse(body)
  const statusCode = status === 401 ? 403 : status
  return { status: 'fail', code: `error:${code}`, message: detail, statusCode, simple: detail }
}

function written({ simple, ...said }: Said, { format = 'xml', callback = '' }: Input) {
  const { statusCode } = said
  const json = JSON.stringify(said)
  if (format === 'json') return file('application/json', json, 0, statusCode)
  if (format === 'simple') return file('text/plain; charset=utf-8', simple, 0, statusCode)
  if (format === 'jsonp' && /^[\w.$]{1,100}$/.test(callback)) {
    return file('application/javascript', `/**/${callback}(${json})`, 0, statusCode)
  }
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<result>${xmlOf(said)}</result>`
  return file('application/xml', xml, 0, statusCode)
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

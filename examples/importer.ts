import { type Context, definePlugin, endpoint, isRefusal, z } from 'linnet/plugin'

/** A link as its lines say it. Another program's export is easily rewritten into these. */
const lineSchema = z.strictObject({
  url: z.string(),
  code: z.string().optional(),
  title: z.string().nullish(),
  created: z.iso.datetime({ offset: true }).optional(),
  aliases: z.array(z.string()).optional(),
})

const atMost = 500

const answer = z.strictObject({
  data: z.array(
    z.strictObject({
      line: z.int(),
      shortUrl: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
})

/** Imports links from JSON lines, and reports on each line. A line that is refused stops no other. */
export default definePlugin({
  feature: 'custom.importer',
  about: 'Import links with their dates and former short codes.',
  needs: ['link.customShortCode'],
  endpoints: {
    'POST /import/lines': endpoint({
      summary: `Import up to ${atMost} links, each as a line of JSON`,
      scope: 'links:write',
      body: z.strictObject({ lines: z.string().max(500_000) }),
      answer,
      async handle({ caller, body }, { links }) {
        const lines = body.lines.split('\n').filter(line => line.trim() !== '')
        // Saved together, because all of them are asked for at once.
        const results = await Promise.all(
          lines.slice(0, atMost).map(line => importLine(line, caller, links)),
        )
        return { data: results.map((result, index) => ({ line: index + 1, ...result })) }
      },
    }),
  },
})

async function importLine(
  line: string,
  caller: Parameters<Context['links']['create']>[0],
  links: Context['links'],
) {
  const read = lineSchema.safeParse(parsed(line))
  if (!read.success) return { shortUrl: null, problem: z.prettifyError(read.error) }
  const { url, code, title = null, created, aliases } = read.data
  const made = await links.create(
    caller,
    { originalUrl: url, title, ...(code !== undefined && { shortCode: code }) },
    { createdAt: created === undefined ? undefined : new Date(created), formerCodes: aliases },
  )
  if (!isRefusal(made)) return { shortUrl: links.shortUrl(made), problem: null }
  const [error] = made.errors ?? [{ field: made.field, message: made.detail }]
  return { shortUrl: null, problem: [error?.field, error?.message].filter(Boolean).join(': ') }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

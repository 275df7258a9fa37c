import { open } from 'node:fs/promises'
import {
  type Context,
  command,
  definePlugin,
  endpoint,
  isRefusal,
  type PastCounts,
  refuse,
  text,
  toggle,
  z,
} from 'linnet/plugin'

const count = z.int().min(0)

/** What is known of a day. */
const daySchema = z.strictObject({
  day: z.iso.date(),
  visits: count,
  countries: z.record(z.string(), count).optional(),
})

type Day = z.output<typeof daySchema>

/** A link as its lines say it. Another program's export is easily rewritten into these. */
const lineSchema = z.strictObject({
  url: z.string(),
  code: z.string().optional(),
  title: z.string().nullish(),
  created: z.iso.datetime({ offset: true }).optional(),
  aliases: z.array(z.string()).optional(),
  /** A hash of its password, as of bcrypt. */
  passwordHash: z.string().optional(),
  /** All visits, also of days that are not in `days`. */
  visits: count.optional(),
  days: z.array(daySchema).optional(),
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

/** How many lines a command imports at once: those that are saved together share a commit. */
const together = 100

/** Imports links from JSON lines, and reports on each line. A line that is refused stops no other. */
export default definePlugin({
  feature: 'custom.importer',
  about: 'Import links with their dates, former short codes and visits.',
  needs: ['link.customShortCode', 'analytics.visitsTracking', 'analytics.visitsByCountry'],
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
    'POST /import/links/:id/days': endpoint({
      summary: 'Import visits of a link that was imported before',
      scope: 'links:write',
      body: z.strictObject({ part: z.string(), days: z.array(daySchema) }),
      answer: z.strictObject({ data: z.strictObject({ isNew: z.boolean() }) }),
      async handle({ caller, body, params: { id = '' } }, { links }) {
        // A request that is sent again, because nobody knows what became of it, adds nothing.
        const isNew = await links.addVisits(caller, id, body.part, { counts: countsOf(body.days) })
        return isRefusal(isNew) ? isNew : { data: { isNew } }
      },
    }),
  },
  unstable: {
    commands: {
      'import-lines': command({
        summary: 'Import links from a file with a line of JSON for each.',
        arguments: { file: text({ label: 'A file' }) },
        options: {
          account: text({ label: 'The e-mail address of the account that gets the links' }),
          check: toggle({ label: 'Only read the file, and import nothing' }),
        },
        async run({ arguments: { file }, options, print, account }, { links, signal }) {
          const owner = await account(options.account)
          let line = 0
          let made = 0
          for await (const lines of chunks(file)) {
            // Ctrl-C: what was imported so far stays, and the report says how much that is.
            if (signal.aborted) break
            const results = await Promise.all(
              lines.map(line => (options.check ? checkLine(line) : importLine(line, owner, links))),
            )
            for (const { problem } of results) {
              line += 1
              if (problem === null) made += 1
              else await print(`Line ${line}: ${problem}`)
            }
          }
          await print(`${made} of ${line} links were ${options.check ? 'read' : 'imported'}.`)
          if (made < line) return refuse('incomplete', 'Some lines were not imported.', 422)
        },
      }),
    },
  },
})

/** The lines of a file, some at a time. Throws if it cannot be read. */
async function* chunks(file: string): AsyncIterable<readonly string[]> {
  let lines: string[] = []
  const opened = await open(file)
  for await (const line of opened.readLines()) {
    if (line.trim() === '') continue
    lines.push(line)
    if (lines.length < together) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

function checkLine(line: string) {
  const read = lineSchema.safeParse(parsed(line))
  return { problem: read.success ? null : z.prettifyError(read.error) }
}

async function importLine(
  line: string,
  caller: Parameters<Context['links']['create']>[0],
  links: Context['links'],
) {
  const read = lineSchema.safeParse(parsed(line))
  if (!read.success) return { shortUrl: null, problem: z.prettifyError(read.error) }
  const {
    url,
    code,
    title = null,
    created,
    aliases,
    passwordHash,
    visits = 0,
    days = [],
  } = read.data
  const dated = days.reduce((sum, day) => sum + day.visits, 0)
  const made = await links.create(
    caller,
    { originalUrl: url, title, ...(code !== undefined && { shortCode: code }) },
    {
      createdAt: created === undefined ? undefined : new Date(created),
      formerCodes: aliases,
      ...(passwordHash !== undefined && { hashed: { password: passwordHash } }),
      visits: { undated: Math.max(visits - dated, 0), counts: countsOf(days) },
    },
  )
  if (!isRefusal(made)) return { shortUrl: links.shortUrl(made), problem: null }
  const [error] = made.errors ?? [{ field: made.field, message: made.detail }]
  return { shortUrl: null, problem: [error?.field, error?.message].filter(Boolean).join(': ') }
}

function countsOf(days: readonly Day[]): readonly PastCounts[] {
  return days.map(({ day, visits, countries = {} }) => ({
    at: day,
    visits,
    by: { visitsByCountry: countries },
  }))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

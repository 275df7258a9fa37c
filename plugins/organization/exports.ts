import { chmod, mkdir, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  type Context,
  choice,
  command,
  definePlugin,
  download,
  endpoint,
  type KnownAccount,
  number,
  optional,
  refuse,
  text,
  toggle,
  z,
} from '../../core/plugin.ts'
import { exportLines } from './exports/lines.ts'
import { oneAtATime, wholeInstance } from './exports/one-at-a-time.ts'
import { archiveOf } from './exports/static/archive.ts'
import { formats } from './exports/static/formats.ts'
import { plainUrls } from './exports/static/plain-urls.ts'
import { beginBundle } from './exports/static/write-bundle.ts'
import { isThere, writeWhole } from './exports/write-file.ts'

const media = 'application/jsonl'
const email = optional(text({ label: 'The e-mail address of one account; otherwise all of them' }))
const statuses = [301, 302, 307, 308]
const packed = 'application/gzip'
const archiveName = 'linnet-static.tar.gz'
const staticQuery = z.strictObject({
  status: z
    .enum(['301', '302', '307', '308'])
    .default('302')
    .meta({ description: 'The status of redirects of links that have none of their own.' }),
})

export default definePlugin({
  feature: 'organization.exports',
  about:
    'Export links with all that belongs to them, or as files with which other servers redirect.',
  label: 'Exports',
  needs: [],
  endpoints: {
    'GET /export': endpoint({
      summary: 'Download all that your account has, as JSON lines',
      group: 'Exports',
      scope: '*',
      media: [media],
      rateLimit: { max: 10, seconds: 3_600 },
      handle({ caller }, context) {
        const accounts = () => only([caller.accountId], context)
        const lines = exportLines({ accounts, isWhole: false, withHashes: false }, context)
        return download(media, 'linnet-export.jsonl', oneAtATime(caller.accountId, lines))
      },
    }),
    'GET /admin/export': endpoint({
      summary: 'Download all that all accounts have, as JSON lines',
      group: 'Exports',
      scope: 'admin',
      media: [media],
      rateLimit: { max: 10, seconds: 3_600 },
      handle(_, context) {
        const accounts = () => context.unstable.accounts.all()
        const lines = exportLines({ accounts, isWhole: true, withHashes: false }, context)
        return download(media, 'linnet-export.jsonl', oneAtATime(wholeInstance, lines))
      },
    }),
    'GET /export/static': endpoint({
      summary: 'Download files with which other servers redirect as your links do',
      group: 'Exports',
      scope: '*',
      query: staticQuery,
      media: [packed],
      rateLimit: { max: 10, seconds: 3_600 },
      handle({ caller, query }, context) {
        const accounts = only([caller.accountId], context)
        const what = { accounts, status: Number(query.status) }
        return download(packed, archiveName, oneAtATime(caller.accountId, archiveOf(what, context)))
      },
    }),
    'GET /admin/export/static': endpoint({
      summary: 'Download files with which other servers redirect as all links do',
      group: 'Exports',
      scope: 'admin',
      query: staticQuery,
      media: [packed],
      rateLimit: { max: 10, seconds: 3_600 },
      handle({ query }, context) {
        const what = { accounts: context.unstable.accounts.all(), status: Number(query.status) }
        return download(packed, archiveName, oneAtATime(wholeInstance, archiveOf(what, context)))
      },
    }),
  },
  unstable: {
    dashboard: {
      page: {
        label: 'Export',
        icon: 'link',
        lead: 'Take links away, with their visits, tags and campaigns. Another Linnet imports such a file.',
        panels: [
          {
            title: 'Your account',
            lead: 'One file of JSON lines. Passwords of links are not in it.',
            buttons: [{ label: 'Download', call: 'GET /export' }],
          },
          {
            title: 'Without Linnet',
            lead: 'Files with which nginx, Caddy, HAProxy, a static host or a program of yours redirects as your links do. What Linnet has to ask or decide at each visit is left out, and listed.',
            buttons: [{ label: 'Download', call: 'GET /export/static' }],
          },
          {
            title: 'All accounts',
            lead: 'The same of the whole instance. On the server, linnet export writes it with the hashes of passwords.',
            buttons: [
              { label: 'Download', call: 'GET /admin/export' },
              { label: 'Download for other servers', call: 'GET /admin/export/static' },
            ],
          },
        ],
      },
    },
    commands: {
      export: command({
        summary: 'Write all that is there to a file, or files with which another server redirects.',
        arguments: {
          to: text({ label: 'A file that is not there yet, such as all.jsonl.gz, or a folder' }),
        },
        options: {
          account: email,
          hashes: toggle({ label: 'With the hashes of passwords of links' }),
          static: optional(
            choice(Object.keys(formats) as [keyof typeof formats], {
              label: 'Only where links lead, as a folder of files for this server',
            }),
          ),
          status: number({
            label: 'In these, the status of redirects of links that have none of their own',
            min: 301,
            max: 308,
            default: 302,
          }),
        },
        async run({ arguments: { to }, options, account, print }, context) {
          const { static: format, status, hashes } = options
          if (await isThere(to))
            return refuse('validation_failed', `${to} is there already. Name another one.`)
          if (format && hashes) return noHashes
          if (!statuses.includes(status)) return noStatus
          const ids = options.account ? [await account(options.account)] : undefined
          const accounts = () => (ids ? only(ids, context) : context.unstable.accounts.all())
          if (format) {
            await writeStatic({ accounts: accounts(), format, folder: to, status, print }, context)
            return undefined
          }
          const what = { accounts, isWhole: !ids, withHashes: hashes }
          const counted = countLines(exportLines(what, context))
          const isWhole = await unlessStopped(context, () =>
            writeWhole(to, counted.lines, context.signal),
          )
          if (isWhole) await print(`${basename(to)} has ${counted.count()} lines.`)
          return undefined
        },
      }),
    },
  },
})

async function writeStatic(
  {
    accounts,
    format,
    folder,
    status,
    print,
  }: {
    readonly accounts: AsyncIterable<readonly KnownAccount[]>
    readonly format: keyof typeof formats
    readonly folder: string
    readonly status: number
    readonly print: (line: string) => Promise<void>
  },
  context: Context,
): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
  const bundle = await unlessStopped(context, async () => {
    const begun = beginBundle(format, folder, context)
    for await (const some of plainUrls({ accounts, status }, context)) await begun.take(some)
    return begun.finish()
  })
  if (!bundle) return rm(folder, { recursive: true })
  const { written, left } = bundle.made
  await print(`${written} short URLs are in ${folder}, and ${left} links are left out.`)
  if (left > 0) await print('left-out.txt says why, and README.md how to use the others.')
}

/** What was made; undefined if somebody stopped it, which is no failure. */
async function unlessStopped<T>(
  { signal }: Pick<Context, 'signal'>,
  work: () => Promise<T>,
): Promise<{ readonly made: T } | undefined> {
  try {
    return { made: await work() }
  } catch (error) {
    if (!signal.aborted) throw error
    return undefined
  }
}

/** These accounts, as a page. */
async function* only(
  ids: readonly number[],
  { unstable }: Context,
): AsyncGenerator<readonly KnownAccount[]> {
  yield await unstable.accounts.find(ids)
}

function countLines(lines: AsyncIterable<string>) {
  let count = 0
  async function* counting() {
    for await (const some of lines) {
      count += some.split('\n').length - 1
      yield some
    }
  }
  return { lines: counting(), count: () => count }
}

const noHashes = refuse(
  'validation_failed',
  'Files for another server have no passwords, and so no hashes: leave out one of the two.',
)

const noStatus = refuse(
  'validation_failed',
  'The status is one of 301, 302, 307 and 308.',
  422,
  'status',
)

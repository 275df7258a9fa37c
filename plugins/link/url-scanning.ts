import {
  type Context,
  choice,
  definePlugin,
  endpoint,
  type Guard,
  isWebAddress,
  type LinkAddress,
  list,
  listOf,
  listSchema,
  notFound,
  pageQuery,
  parseUrl,
  publicId,
  type Refusal,
  refuse,
  secret,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { createBlockLists } from './url-scanning/block-lists.ts'
import { blocked } from './url-scanning/blocked.ts'
import {
  blockOf,
  blocks,
  listBlocks,
  makeFindings,
  releaseFindings,
} from './url-scanning/findings.ts'
import { blockHosts, makeHostFindings, rescanHosts } from './url-scanning/hosts.ts'
import { lookAlike } from './url-scanning/look-alikes.ts'
import { forgetOldAddresses, rescanAll } from './url-scanning/rescan.ts'
import { createSafeBrowsing } from './url-scanning/safe-browsing.ts'
import { createScan, type Scan } from './url-scanning/scanner.ts'

/** How often to check the files for changes, in milliseconds. */
const refreshMs = 30_000

/** How long the start waits for the lists, in milliseconds: a disk that does not answer must not stop it. */
const startMs = 5_000

const google = 'https://safebrowsing.googleapis.com/'

const blockSchema = z.strictObject({
  id: z.string().meta({ description: 'Of the link.' }),
  shortUrl: z.string().nullable(),
  address: z.string(),
  reason: z.string(),
  foundAt: z.iso.datetime(),
})

export default definePlugin({
  feature: 'link.urlScanning',
  label: 'URL scanning',
  about: 'Block links to addresses that are known to be harmful.',
  flag: 'urlScanningEnabled',
  settings: {
    lists: list({
      label: 'Block lists',
      hint: 'Paths of files or folders. Files can be hosts files, or have one domain, one ||domain^ or one URL per line.',
      default: [],
      maxEach: 4_096,
    }),
    lookAlikes: choice(['refuse', 'allow'], {
      label: 'Block look-alike domain names and public IP addresses',
      default: 'refuse',
    }),
    safeBrowsingKey: secret({
      label: 'API key of Google Safe Browsing',
      env: 'LINNET_SAFE_BROWSING_KEY',
    }),
    // The key is sent to this URL, so whoever holds the key must decide on the URL.
    safeBrowsingUrl: secret({
      label: 'URL of another service to use instead of Google Safe Browsing',
      env: 'LINNET_SAFE_BROWSING_URL',
      schema: z.string().refine(isHttps, 'enter a URL that begins with https://.'),
    }),
    whenUnavailable: choice(['allow', 'refuse'], {
      label: 'New links while Safe Browsing does not answer',
      default: 'allow',
    }),
  },
  migrations: {
    '001-findings': async db => {
      await makeFindings(db)
      await makeHostFindings(db)
    },
  },

  async setup(context) {
    const { settings, fetch, log, signal } = context
    await blockHosts(context)
    context.news.on(() => blockHosts(context))
    const { safeBrowsingKey: key } = settings
    const service = new URL(settings.safeBrowsingUrl ?? google).origin
    const lists = createBlockLists(settings.lists, { log, signal })
    await lists.begin(startMs)
    const timer = setInterval(() => void lists.refresh(), refreshMs).unref()
    const askService = key === undefined ? undefined : createSafeBrowsing({ fetch, service, key })
    return { lists, timer, scan: createScan(lists, askService, log) }
  },
  dispose({ state }) {
    clearInterval(state?.timer)
  },

  validate({ addresses, link }, { settings, state }) {
    const before = link?.addresses.map(({ url }) => url) ?? []
    const added = addresses.filter(({ url }) => parseUrl(url) && !before.includes(url))
    if (added.length === 0) return undefined
    // A promise, with its time limit, only for who has to wait: every new link comes through here.
    const scan = state.scan(added.map(({ url }) => url))
    const judge = (scan: Scan) => refuseFound(added, scan, settings)
    return scan instanceof Promise ? scan.then(judge) : judge(scan)
  },

  unstable: { guards: 'marked', tells: ['blockedLink'] },
  guard: (_, { db }, { rowId }) => guardOf(db, rowId),
  statuses: {
    blocked: {
      label: 'Blocked',
      rank: 900,
      links: ({ db }) => blocks(db).select('link_id'),
    },
  },

  on: { updated: (link, context) => forgetOldAddresses(context, link) },
  jobs: {
    readLists: {
      label: 'Update the block lists',
      every: '31 2 * * *',
      everywhere: true,
      run: ({ state }) => state.lists.refresh(),
    },
    rescan: {
      label: 'Scan all addresses again',
      every: '41 2 * * *',
      async run(context) {
        const { lists, scan } = context.state
        await lists.refresh()
        if (!context.unstable.isOn()) return
        await rescanAll(context, scan, lists.isComplete)
        await rescanHosts(context, scan, lists.isComplete)
      },
    },
  },

  endpoints: {
    'GET /admin/blocked-links': endpoint({
      summary: 'List blocked links, newest first',
      scope: 'admin',
      query: pageQuery,
      answer: listSchema(blockSchema),
      async handle({ query }, { db, links }) {
        const { rows, total, next } = await listBlocks(db, sliceOf(query))
        const shown = rows.map(async ({ link_id, address, reason, found_at }) => {
          const id = publicId('lnk', Number(link_id))
          const link = await links.find(id)
          const foundAt = new Date(Number(found_at)).toISOString()
          return { id, shortUrl: link ? links.shortUrl(link) : null, address, reason, foundAt }
        })
        return listOf(await Promise.all(shown), total, query, '/api/v1/admin/blocked-links', next)
      },
    }),
    'POST /admin/blocked-links/:id/release': endpoint({
      summary: 'Release a blocked link until its original URL changes',
      scope: 'admin',
      status: 204,
      unstable: { tries: true },
      async handle({ params: { id = '' }, isDry }, { db, links, now, unstable }) {
        const link = await links.find(id)
        if (!link || !(await blockOf(db, link.rowId))) return notFound
        if (isDry) return undefined
        await unstable.links.markGuarded(link, false)
        await releaseFindings(db, link.rowId, now())
        links.recompile(id)
      },
    }),
  },
})

async function guardOf(db: Context['db'], rowId: number): Promise<Guard | undefined> {
  const block = await blockOf(db, rowId)
  if (!block) return undefined
  const refusal = blocked(block.reason)
  return () => refusal
}

function refuseFound(
  added: readonly LinkAddress[],
  { found, isAnswered }: Scan,
  { lookAlikes, whenUnavailable }: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  for (const { url, field } of added) {
    const isJudged = lookAlikes === 'refuse' && isWebAddress(url)
    const alike = isJudged ? lookAlike(new URL(url)) : undefined
    const reason = found.get(url) ?? alike
    if (reason !== undefined) return refuse('unsafe_url', `This URL is ${reason}.`, 422, field)
  }
  if (isAnswered || whenUnavailable === 'allow') return undefined
  return refuse('unavailable', 'This URL cannot be checked at the moment. Try again later.', 503)
}

function isHttps(text: string): boolean {
  return parseUrl(text)?.protocol === 'https:'
}

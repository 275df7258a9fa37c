import { parseJson } from '../../reading/json.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readPast } from '../../reading/moments.ts'
import { type Asked, type Item, type LinkItem, SourceError } from '../../source.ts'
import { countVisits } from '../../tables/count-visits.ts'
import { type Counting, createCounting } from '../../tables/counting.ts'
import { gather, type Row } from '../../tables/gather.ts'
import { visitsIn } from '../../tables/read-values.ts'
import { maxValueChars } from '../../tables/row-sink.ts'
import { agentOf } from '../../tables/values-of-visit.ts'
import { visitTimes } from '../../tables/visit-times.ts'
import { withCounts } from '../../tables/whole-link.ts'

/** Options in which plugins keep passwords of links. */
const passwords = /pwprotection|passw/i
/** Options in which plugins keep ends of links. */
const ends = /expir/i

const lockedHere =
  'A plugin kept a password of it in a form of its own. It has ended here: set a password, and remove the end.'

const noOptions =
  'The file has no table of options, in which plugins keep passwords of links: links that have one there come without it. Make it with all tables.'

/** A plugin keeps all in one option. */
const mostLockChars = 262_144

/** Else its links would come without their passwords. */
function tooManyLocks(option: string | null | undefined): SourceError {
  return new SourceError(
    `The option ${option}, in which a plugin keeps passwords of links, is too long to be read. End these links in YOURLS, take the option out of the dump, and begin again.`,
  )
}

/**
 * What may be the codes of links in what a plugin keeps: between quotes in JSON or code of PHP. JSON escapes letters and slashes, and
 * PHP writes digits as a number, such as `i:12;`.
 */
function* codesIn(option: string): Generator<string> {
  for (const text of option.split('"').slice(1, -1)) {
    yield text
    const plain = text.includes('\\') ? parseJson(`"${text}"`, 1) : undefined
    if (typeof plain === 'string') yield plain
  }
  for (const [, number = ''] of option.matchAll(/i:(\d+);/g)) yield number
}

/** Links and visits of a dump of YOURLS. */
export async function* readYourlsDump(
  asked: Asked,
  { zone, prefix }: { readonly zone: string; readonly prefix: string | null },
): AsyncGenerator<Item> {
  const tables = await gather(
    asked,
    'YOURLS',
    {
      url: { columns: ['keyword', 'url', 'timestamp', 'clicks'], more: ['title'], key: 'keyword' },
      log: {
        columns: ['click_time', 'shorturl', 'referrer', 'user_agent', 'country_code'],
        ...{ isOptional: true, isLoose: true },
      },
      options: { columns: ['option_name', 'option_value'], isOptional: true },
    },
    prefix,
  )
  try {
    const counting = createCounting(tables.db, asked.now())
    const timeOf = visitTimes(zone)
    const urlOf = tables.lookUp('url', 'url')
    await countVisits(tables.each('log'), counting, ({ shorturl, click_time: time, ...visit }) => {
      const at = timeOf(time)
      const originalUrl = urlOf(`${shorturl}`)
      if (originalUrl === undefined) return undefined
      return {
        ...{ link: `${shorturl}`, at, agent: agentOf(visit.user_agent) },
        ...{ referer: visit.referrer ?? null, country: visit.country_code ?? null },
        originalUrl,
      }
    })
    if (!tables.has('options')) yield { kind: 'note', row: 'options', sentence: noOptions }
    const locked = new Set<string>()
    let chars = 0
    for await (const { option_name: name, option_value: value } of tables.each('options')) {
      if (passwords.test(name ?? '')) {
        chars += value?.length ?? 0
        if (value?.length === maxValueChars || chars > mostLockChars) throw tooManyLocks(name)
        for (const code of codesIn(value ?? '')) locked.add(code)
      } else if (ends.test(name ?? '')) {
        const sentence =
          'Ends of links do not come along: a plugin keeps them in a form of its own. Set them anew.'
        yield { kind: 'note', row: `options ${name}`, sentence }
      }
    }
    for await (const url of tables.each('url')) {
      const item = linkOf(url, { counting, locked, zone, now: asked.now() })
      yield* withCounts(item, counting, item.id)
    }
    yield* tables.refused()
  } finally {
    tables.close()
  }
}

function linkOf(
  { keyword, url, title, timestamp, clicks }: Row,
  about: {
    readonly counting: Counting
    readonly locked: ReadonlySet<string>
    readonly zone: string
    readonly now: Date
  },
): LinkItem {
  const code = keyword ?? ''
  const { all, bots } = about.counting.dated(code)
  const isLocked = about.locked.has(code)
  const changes = isLocked ? [lockedHere] : []
  return linkItem(
    {
      ...{ row: `url ${code}`, id: code, host: null, code, originalUrl: url ?? '' },
      // Without a title, YOURLS writes the URL.
      title: title === url ? null : title,
      createdAt: readPast(timestamp, about.zone, changes),
      // Its sum has robots, too.
      visits: Math.max(visitsIn(clicks, changes) - bots, all),
      isClosed: isLocked,
      changes,
    },
    about.now,
  )
}

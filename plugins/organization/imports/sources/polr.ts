import { createHash } from 'node:crypto'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { linkItem } from '../reading/link-item.ts'
import { readPast, zoneField } from '../reading/moments.ts'
import type { Asked, Host, Item, LinkItem, Source } from '../source.ts'
import { countVisits } from '../tables/count-visits.ts'
import { type Counting, createCounting } from '../tables/counting.ts'
import { type Gathered, gather, type Row } from '../tables/gather.ts'
import { isTrue, visitsIn } from '../tables/read-values.ts'
import { agentOf } from '../tables/values-of-visit.ts'
import { visitTimes } from '../tables/visit-times.ts'
import { withCounts } from '../tables/whole-link.ts'

export const polr: Source = {
  name: 'polr',
  label: 'Polr',
  about: 'Reads a dump of the database of Polr 2, with secret links, visits and users.',
  settings: {
    timeZone: zoneField('In which Polr writes its dates: UTC, unless you changed it.'),
    keepsStatus: keepsStatusField('Redirect with 301, as Polr does'),
  },
  file: { endings: ['.sql'] },
  read: asked => forAllLinks(read(asked), keptStatus(asked, 301)),
}

async function* read(asked: Asked): AsyncGenerator<Item> {
  const zone = String(asked.settings.timeZone ?? 'UTC')
  const tables = await gather(asked, 'Polr', {
    links: {
      columns: ['id', 'short_url', 'long_url', 'clicks', 'secret_key', 'is_disabled'],
      more: ['creator', 'created_at', 'updated_at'],
      key: 'id',
    },
    clicks: {
      columns: ['link_id', 'created_at', 'country', 'referer', 'user_agent'],
      ...{ isOptional: true, isLoose: true },
    },
    users: {
      columns: ['id', 'username', 'email'],
      more: ['api_key', 'api_active'],
      ...{ key: 'username', isOptional: true },
    },
  })
  try {
    const counting = createCounting(tables.db, asked.now())
    const timeOf = visitTimes(zone)
    const urlOf = tables.lookUp('links', 'long_url')
    await countVisits(tables.each('clicks'), counting, click => {
      const at = timeOf(click.created_at)
      const originalUrl = urlOf(`${click.link_id}`)
      if (originalUrl === undefined) return undefined
      return {
        ...{ link: `${click.link_id}`, at, agent: agentOf(click.user_agent) },
        ...{ referer: click.referer ?? null, country: click.country ?? null },
        originalUrl,
      }
    })
    yield hostOf(tables)
    for await (const link of tables.each('links')) {
      const item = linkOf(link, { tables, counting, zone, now: asked.now() })
      yield* withCounts(item, counting, `${link.id}`)
    }
    for await (const { id, username, email, api_key: key, api_active: isActive } of tables.each(
      'users',
    )) {
      if (!key || !isTrue(isActive)) continue
      const sha256 = createHash('sha256').update(key).digest('hex')
      yield {
        kind: 'key',
        row: `users id ${id}`,
        name: `Polr, ${username}`,
        sha256,
        owner: email ?? null,
      }
    }
    yield* tables.refused()
  } finally {
    tables.close()
  }
}

/** Codes of secret links have a slash. MySQL compares codes without regard to case, unless somebody told it otherwise. */
function hostOf(tables: Gathered): Host {
  const [secret] = tables.all("SELECT id FROM links WHERE secret_key <> ''")
  const [alike] = tables.all(
    'SELECT lower(short_url) AS code FROM links GROUP BY code HAVING count(*) > 1',
  )
  return {
    ...{ kind: 'host', row: 'links', host: null },
    rules: {
      grammar: secret ? 'wide' : 'narrow',
      codes: alike ? 'exact' : 'any_case',
      hyphens: 'strict',
    },
  }
}

function linkOf(
  { id, short_url: code, long_url: url, secret_key: secret, is_disabled: disabled, ...link }: Row,
  about: {
    readonly tables: Gathered
    readonly counting: Counting
    readonly zone: string
    readonly now: Date
  },
): LinkItem {
  const { tables, counting, zone, now } = about
  const [user] = tables.all('SELECT email FROM users WHERE username = ?', link.creator ?? null)
  const { all, bots } = counting.dated(`${id}`)
  const isDisabled = isTrue(disabled)
  const changes = isDisabled ? ['It was disabled there, and has ended here.'] : []
  return linkItem(
    {
      ...{ row: `links id ${id}`, id: `${id}`, host: null },
      code: secret ? `${code ?? ''}/${secret}` : (code ?? ''),
      originalUrl: url ?? '',
      owner: user?.email ?? null,
      createdAt: readPast(link.created_at, zone, changes),
      updatedAt: readPast(link.updated_at, zone, changes),
      isClosed: isDisabled,
      // Its sum has robots, too.
      visits: Math.max(visitsIn(link.clicks, changes) - bots, all),
      changes,
    },
    now,
  )
}

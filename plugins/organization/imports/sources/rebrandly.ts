import { optional, text, z } from '../../../../core/plugin.ts'
import { announce } from '../reading/announce.ts'
import { openApi } from '../reading/api.ts'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { linkItem } from '../reading/link-item.ts'
import { readPast } from '../reading/moments.ts'
import { arrayOf, eachOnce } from '../reading/pages.ts'
import { given } from '../reading/row-link.ts'
import {
  apiField,
  hostSchema,
  idOf,
  idSchema,
  keyField,
  keyOf,
  notRead,
  readThing,
  someFlag,
  someNumber,
  someText,
} from '../reading/service.ts'
import { readCode } from '../reading/short-url.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { oneLine, quoted } from '../reading/texts.ts'
import { type Owner, offTheirHost } from '../reading/their-hosts.ts'
import type { Asked, Item, LinkItem, Source } from '../source.ts'

const owner: Owner = { label: 'Rebrandly', isTheirs: host => host === 'rebrand.ly' }

export const rebrandly: Source = {
  name: 'rebrandly',
  label: 'Rebrandly',
  about:
    'Reads the links of a workspace from the API of Rebrandly, with an API key, or a CSV file that Rebrandly exported.',
  settings: {
    key: keyField('REBRANDLY_API_KEY', 'From Account, API keys.'),
    workspace: optional(
      text({
        label: 'Workspace',
        hint: 'Its id, if it is not the main one of the key.',
        max: 100,
        pattern: /^[\w-]+$/,
      }),
    ),
    keepsStatus: keepsStatusField('Redirect with 301, as Rebrandly does'),
    api: apiField('https://api.rebrandly.com/v1'),
  },
  file: { endings: ['.csv'], orSettings: ['key'] },
  read: asked =>
    forAllLinks(
      asked.file ? readTableLinks(asked, { owner }) : announce(readWorkspace(asked)),
      keptStatus(asked, 301),
    ),
}

const linkSchema = z.object({
  ...{ id: idSchema, slashtag: z.string().min(1).max(1_000), destination: z.string().min(1) },
  domain: z.object({ fullName: hostSchema }),
  ...{ title: someText, description: someText, status: someText, clicks: someNumber },
  ...{ createdAt: someText, updatedAt: someText, lastClickAt: someText },
  forwardParameters: someFlag,
  tags: z
    .array(z.object({ name: z.string(), color: someText }))
    .nullish()
    .catch(null),
})

type Link = z.output<typeof linkSchema>

async function* readWorkspace(asked: Asked): AsyncGenerator<Item> {
  const { workspace, api: base } = asked.settings
  const api = openApi(asked, {
    name: rebrandly.label,
    base: String(base),
    headers: {
      apikey: keyOf(asked, rebrandly.label),
      ...(typeof workspace === 'string' && { workspace }),
    },
  })
  const rows = eachOnce(rebrandly.label, idOf, async last => {
    const order = { orderBy: 'createdAt', orderDir: 'desc', limit: 25 }
    const query = { ...order, last: last === undefined ? last : idOf(last) }
    return arrayOf(await api.get('/links', query), '/links')
  })
  let count = 0
  for await (const row of rows) {
    count += 1
    const read = readThing(linkSchema, row)
    if ('error' in read) yield notRead(`link ${count}`, read.error)
    else {
      yield* tagsOf(read.data)
      yield offTheirHost(linkOf(read.data, [...read.changes], asked.now()), owner)
    }
  }
}

function* tagsOf({ id, tags }: Link): Generator<Item> {
  for (const { name, color } of tags ?? []) {
    const digits = /^#?([0-9a-f]{6})$/i.exec(color ?? '')?.[1]
    if (digits)
      yield {
        kind: 'tag',
        row: `link ${id}`,
        name: oneLine(name).slice(0, 100),
        color: `#${digits}`,
      }
  }
}

function linkOf(link: Link, changes: string[], now: Date): LinkItem {
  const { status } = link
  if (status && status !== 'active')
    changes.push(`Its status there is ${quoted(status)}. Here it leads on.`)
  return linkItem(
    {
      ...{ row: `${link.domain.fullName}/${link.slashtag}`, id: link.id },
      ...{ host: link.domain.fullName.toLowerCase(), code: readCode(link.slashtag) },
      ...{ originalUrl: link.destination, title: link.title, notes: link.description },
      tags: link.tags?.map(({ name }) => name) ?? [],
      fields: given({ forwardQuery: link.forwardParameters || undefined }),
      createdAt: readPast(link.createdAt, 'UTC', changes),
      updatedAt: readPast(link.updatedAt, 'UTC', changes),
      lastVisitAt: readPast(link.lastClickAt, 'UTC', changes),
      visits: link.clicks ?? undefined,
      changes,
    },
    now,
  )
}

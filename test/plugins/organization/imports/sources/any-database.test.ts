import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Item, SourceError } from '../../../../../plugins/organization/imports/source.ts'
import { chhoto } from '../../../../../plugins/organization/imports/sources/chhoto.ts'
import { kutt } from '../../../../../plugins/organization/imports/sources/kutt.ts'
import { polr } from '../../../../../plugins/organization/imports/sources/polr.ts'
import { shlink } from '../../../../../plugins/organization/imports/sources/shlink.ts'
import { yourls } from '../../../../../plugins/organization/imports/sources/yourls.ts'
import { tries } from '../../../../at-night.ts'
import { checkItem, readAll, type Tried } from '../conformance.ts'
import { writtenFile } from '../written-file.ts'

const dumps = [
  [shlink, 'shlink/shlink-postgres.sql'],
  [kutt, 'kutt/kutt-postgres-inserts.sql'],
  [yourls, 'yourls/yourls.sql'],
  [polr, 'polr/polr.sql'],
] as const

const odd = fc.oneof(
  fc.constantFrom(...['', '0', '-1', '1e9', '99999999999999999999', 'NaN', '0000-00-00 00:00:00']),
  fc.constantFrom(
    ...[
      '9999-99-99 99:99:99',
      '275760-01-01 00:00:00',
      '{"us":',
      '{"__proto__":5}',
      't',
      'go.x.test',
    ],
  ),
  fc.string({ maxLength: 12 }).map(text => text.replace(/['\\\t\n\r]/g, ' ')),
)
/** Which values of a dump are others, as shares of its length, and what they are. */
const changes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), odd), {
  minLength: 1,
  maxLength: 12,
})

/** The dump with other values in some places of its rows. */
function changed(dump: string, to: readonly (readonly [number, string])[]): string {
  const values = [...dump.matchAll(/(?<=[(,\t] ?)'[^'\\]*'(?=[,)])|(?<=\t)[^\t\n]*(?=\t)/g)]
  const at = new Map(to.map(([share, value]) => [Math.floor(share * (values.length - 1)), value]))
  let index = -1
  return dump.replace(/(?<=[(,\t] ?)'[^'\\]*'(?=[,)])|(?<=\t)[^\t\n]*(?=\t)/g, value => {
    index += 1
    const other = at.get(index)
    if (other === undefined) return value
    return value.startsWith("'") ? `'${other}'` : other
  })
}

async function outcomeOf(
  source: Parameters<typeof readAll>[0],
  tried: Tried,
): Promise<readonly Item[]> {
  try {
    return await readAll(source, tried)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return []
  }
}

describe('whatever stands in its rows, what is yielded is as the contract says', () => {
  it.each(dumps)('of $name', async (source, name) => {
    const dump = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    await fc.assert(
      fc.asyncProperty(changes, async to => {
        for (const item of await outcomeOf(source, { file: writtenFile(changed(dump, to)) })) {
          checkItem(item)
          if (item.kind === 'link') expect(item.code).toBeTruthy()
        }
      }),
      tries(15),
    )
  })
})

describe('whatever a server answers, it ends with links or a sentence', () => {
  const settings = { url: 'https://s.test', key: 'abc', signature: 'abc', allLinks: true }

  it.each([shlink, kutt, yourls, chhoto])('of $name', async source => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.array(fc.jsonValue(), { maxLength: 3 }),
        async (any, rows) => {
          const pagination = { pagesCount: 1 }
          const frames = {
            ...{ '/rest/v3/short-urls': { shortUrls: { data: rows, pagination } } },
            ...{ '/api/v2/users': { domains: [] }, '/api/v2/links/admin': { data: rows } },
            ...{ '/yourls-api.php': { links: { ...rows } }, '/api/all': rows },
          } as Readonly<Record<string, unknown>>
          const fetch = async (url: string) => {
            const json = frames[new URL(url).pathname] ?? any
            const body = Buffer.from(JSON.stringify(json))
            return { status: 200, url, headers: new Headers(), body, isWhole: true }
          }
          for (const item of await outcomeOf(source, { settings, fetch })) checkItem(item)
        },
      ),
      tries(20),
    )
  })
})

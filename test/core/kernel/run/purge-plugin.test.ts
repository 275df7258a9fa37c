import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  featuresWithRemains,
  findRemains,
  purgePlugin,
} from '../../../../core/kernel/run/purge-plugin.ts'
import { definePlugin, type Plugin, refuse, text } from '../../../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'

/** A plugin with a table, a field, and a guard on links that carry it. */
const plugin = (feature: Plugin['feature'], field: string, table: string) =>
  definePlugin({
    feature,
    about: 'A plugin for a test.',
    fields: { [field]: text({ label: 'Word' }) },
    migrations: {
      '1': async db => {
        await db.schema.createTable(table).addColumn('word', 'text').execute()
      },
    },
    guard: fields =>
      fields[field] === undefined ? undefined : () => refuse('shut', 'It is shut.', 403),
  })

const watch = plugin('a.watch', 'watchWord', 'a_watch_words')
// Its name begins with the other's, and so do its tables.
const watchdog = plugin('a.watchdog', 'dogWord', 'a_watchdog_words')

let linnet: Harness
let both: ShownLink
let dogOnly: ShownLink

beforeEach(async () => {
  linnet = await boot([watch, watchdog])
  both = await linnet.create({ watchWord: 'red', dogWord: 'blue' })
  dogOnly = await linnet.create({ dogWord: 'a.watch' })
})
afterEach(() => linnet.stop())

async function tables(): Promise<readonly string[]> {
  const found = await linnet.db.introspection.getTables()
  return found.map(({ name }) => name).filter(name => name.startsWith('a_'))
}

describe('purging a plugin', () => {
  it('says before what it would drop, and drops nothing', async () => {
    expect(await findRemains(linnet.db, 'a.watch')).toEqual({
      tables: ['a_watch_words'],
      links: 1,
      values: 0,
    })
    expect(await findRemains(linnet.db, 'a.never')).toEqual({ tables: [], links: 0, values: 0 })
    expect(await tables()).toEqual(['a_watch_words', 'a_watchdog_words'])
  })

  it('drops tables that refer to each other, in whatever order they are', async () => {
    const refer = definePlugin({
      feature: 'a.refer',
      about: 'Has tables that refer to each other.',
      migrations: {
        '1': async ({ schema }) => {
          for (const [name, to] of [['b'], ['a', 'b'], ['c', 'a']] as const) {
            await schema
              .createTable(`a_refer_${name}`)
              .addColumn('id', 'bigint', it => it.primaryKey())
              .addColumn('to_id', 'bigint', it => (to ? it.references(`a_refer_${to}.id`) : it))
              .execute()
          }
        },
      },
    })
    const with3 = await linnet.restart([watch, watchdog, refer])
    const off = await with3.restart([watch, watchdog])
    expect((await purgePlugin(off.db, 'a.refer')).tables).toHaveLength(3)
    expect(await tables()).toEqual(['a_watch_words', 'a_watchdog_words'])
  })

  it('drops its tables, its fields and what it guards, and nothing of another', async () => {
    const off = await linnet.restart([watchdog])
    expect((await off.visit(both)).status).toBe(503)
    expect(await purgePlugin(off.db, 'a.watch')).toEqual({
      tables: ['a_watch_words'],
      links: 1,
      values: 0,
    })
    expect(await tables()).toEqual(['a_watchdog_words'])
    const left = off.db.selectFrom('links').select(['fields', 'guarded_by']).orderBy('id')
    expect(await left.execute()).toEqual([
      { fields: '{"a.watchdog":{"dogWord":"blue"}}', guarded_by: '["a.watchdog"]' },
      { fields: '{"a.watchdog":{"dogWord":"a.watch"}}', guarded_by: '["a.watchdog"]' },
    ])
    expect((await off.visit(both)).status).toBe(403)
    expect((await off.visit(dogOnly)).status).toBe(403)
    await off.app.close()
  })

  it('makes what others knew of a link stale', async () => {
    const versions = () => linnet.db.selectFrom('links').select(['version']).orderBy('id').execute()
    expect(await versions()).toEqual([{ version: 1 }, { version: 1 }])
    await purgePlugin(linnet.db, 'a.watch')
    // Its fields are gone, and its guard is.
    expect(await versions()).toEqual([{ version: 3 }, { version: 1 }])
  })

  it('is for those that left something, installed or not', async () => {
    expect(await featuresWithRemains(linnet.db)).toEqual(['a.watch', 'a.watchdog'])
    const off = await linnet.restart([])
    expect(await featuresWithRemains(off.db)).toEqual(['a.watch', 'a.watchdog'])
    await purgePlugin(off.db, 'a.watch')
    expect(await featuresWithRemains(off.db)).toEqual(['a.watchdog'])
    await off.app.close()
  })

  it('lets the plugin begin anew', async () => {
    const off = await linnet.restart([])
    await purgePlugin(off.db, 'a.watch')
    const on = await off.restart([watch])
    expect(await tables()).toEqual(['a_watch_words', 'a_watchdog_words'])
    const { body } = await on.api('GET', `/links/${both.id}`)
    expect(body.data.watchWord).toBeNull()
    await on.app.close()
  })
})

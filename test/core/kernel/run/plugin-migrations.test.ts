import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  changedByNewer,
  checksumOf,
  migratePlugin,
  whyNotMigrated,
} from '../../../../core/kernel/run/plugin-migrations.ts'
import {
  definePlugin,
  type Migration,
  type Plugin,
  refuse,
  toggle,
} from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { boot } from '../../../harness.ts'
import { openStorage } from '../../../open-storage.ts'

let db: Database

beforeEach(async () => {
  db = (await openStorage()).db
})

const now = () => new Date('2026-11-20T12:00:00Z')

const withMigrations = (migrations: Record<string, Migration>): Plugin =>
  definePlugin({ feature: 'link.moodRing', about: 'A plugin with tables.', migrations })

const makeMoods: Migration = async own => {
  await own.schema
    .createTable('link_mood_ring_moods')
    .addColumn('link_id', 'integer', column => column.references('links.id'))
    .addColumn('mood', 'text')
    .execute()
}

async function tables(): Promise<string[]> {
  const found = await db.introspection.getTables()
  return found.map(({ name }) => name)
}

describe('the migrations of a plugin', () => {
  it('that an older version of it does not know are told of', async () => {
    const older = withMigrations({ '2026-01-moods': makeMoods })
    const newer = withMigrations({
      '2026-01-moods': makeMoods,
      '2026-02-more': async () => undefined,
    })
    await migratePlugin(db, older, now)
    expect(await changedByNewer(db, [older])).toEqual([])
    await migratePlugin(db, newer, now)
    expect(await changedByNewer(db, [newer])).toEqual([])
    expect(await changedByNewer(db, [older])).toEqual(['link.moodRing'])
  })

  it('that take too long are undone, and can do nothing any more', async () => {
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>()
    let runs = 0
    let late: Promise<void> | undefined
    const slow: Migration = own => {
      runs += 1
      const work = (async () => {
        await makeMoods(own)
        if (runs < 2) return
        await paused
        await own.schema.createTable('link_mood_ring_late').addColumn('a', 'text').execute()
      })()
      if (runs === 2) late = work
      return work
    }
    const impatient = async <T>(work: () => Promise<T>): Promise<T> => {
      const result = work()
      if (runs < 2) return result
      await turn()
      throw new Error('no answer within 1 ms')
    }
    const migrating = migratePlugin(db, withMigrations({ '1-slow': slow }), now, impatient)
    await expect(migrating).rejects.toThrow('no answer within 1 ms')
    goOn()
    await expect(late).rejects.toThrow('Transaction is already rolled back')
    expect((await tables()).filter(name => name.startsWith('link_mood_ring'))).toEqual([])
  })

  it('run once, in the order of their names', async () => {
    const order: string[] = []
    const plugin = withMigrations({
      '2-index': async own => {
        order.push('2')
        await own.schema
          .createIndex('link_mood_ring_by_mood')
          .on('link_mood_ring_moods')
          .column('mood')
          .execute()
      },
      '1-moods': async own => {
        order.push('1')
        await makeMoods(own)
      },
    })
    await migratePlugin(db, plugin, now)
    await migratePlugin(db, plugin, now)
    expect(await tables()).toContain('link_mood_ring_moods')
    // The dry runs that find the checksums come before the real ones, and only once.
    expect(order.join('')).toBe('1212')
  })

  it('that were applied and then changed are refused', async () => {
    await migratePlugin(db, withMigrations({ '1-moods': makeMoods }), now)
    const changed: Migration = async own => {
      await makeMoods(own)
      await own.schema.alterTable('link_mood_ring_moods').addColumn('more', 'text').execute()
    }
    await expect(migratePlugin(db, withMigrations({ '1-moods': changed }), now)).rejects.toThrow(
      /changed its migration 1-moods.*write a new migration/,
    )
  })

  it('that were applied and then changed leave the plugin out, and what it guards stays closed', async () => {
    const guarding = (mood: string) =>
      definePlugin({
        feature: 'link.moodRing',
        about: 'Guards links by mood.',
        fields: { calm: toggle({ label: 'Calm' }) },
        migrations: {
          '1': ({ schema }) =>
            schema.createTable('link_mood_ring_moods').addColumn(mood, 'text').execute(),
        },
        guard: ({ calm }) => (calm ? () => refuse('calm', 'Not now.', 403) : undefined),
      })
    const linnet = await boot(guarding('mood'), { withoutLeftOut: true })
    const guarded = await linnet.create({ calm: true })
    const plain = await linnet.create()
    expect((await linnet.visit(guarded)).status).toBe(403)
    const edited = await linnet.restart([guarding('feeling')])
    expect(edited.app.plugins.leftOut['link.moodRing']).toMatch(/changed its migration 1, which/)
    expect((await edited.visit(guarded)).status).toBe(503)
    expect((await edited.visit(plain)).status).toBe(302)
    const restored = await edited.restart([guarding('mood')])
    expect((await restored.visit(guarded)).status).toBe(403)
    await linnet.stop()
  })

  it('are tried without a trace, and say why they cannot be run', async () => {
    const good = withMigrations({ '1': makeMoods })
    expect(await whyNotMigrated(db, good)).toBeUndefined()
    expect(await tables()).not.toContain('link_mood_ring_moods')
    const bad = withMigrations({ '1': makeMoods, '2': makeMoods })
    expect(await whyNotMigrated(db, bad)).toMatch(/^its migration failed: .*already exists/)
    expect(await tables()).not.toContain('link_mood_ring_moods')
    await migratePlugin(db, good, now)
    expect(await whyNotMigrated(db, good)).toBeUndefined()
    const edited = withMigrations({ '1': async () => undefined })
    expect(await whyNotMigrated(db, edited)).toMatch(/changed its migration 1, .* for the change$/)
  })

  it('are given up when they are tried and never end, with or without tables', async () => {
    const soon = { dryMs: 10, trialMs: 10 }
    const why = 'its migration failed: it did not end within 0.01 seconds'
    const never = () => new Promise<void>(() => undefined)
    expect(await whyNotMigrated(db, withMigrations({ '1': never }), soon)).toBe(why)
    let runs = 0
    const later: Migration = async own => {
      await makeMoods(own)
      // The first is the dry run.
      runs += 1
      if (runs > 1) await never()
    }
    expect(await whyNotMigrated(db, withMigrations({ '1': later }), soon)).toBe(why)
    expect(await tables()).not.toContain('link_mood_ring_moods')
  })

  it('leave nothing behind when they fail', async () => {
    const fails: Migration = async own => {
      await makeMoods(own)
      await own.schema.createTable('link_mood_ring_moods').addColumn('a', 'text').execute()
    }
    await expect(migratePlugin(db, withMigrations({ '1-moods': fails }), now)).rejects.toThrow()
    expect(await tables()).not.toContain('link_mood_ring_moods')
  })

  it.each<[string, Migration]>([
    ['make a table of another name', own => make(own.schema.createTable('moods'))],
    [
      'make a table whose name only begins alike',
      own => make(own.schema.createTable('link_mood_rings')),
    ],
    ['drop a table of the core', own => own.schema.dropTable('links').execute()],
    [
      'change a table of the core',
      own => own.schema.alterTable('links').addColumn('mood', 'text').execute(),
    ],
    [
      'make an index of another name',
      own => own.schema.createIndex('by_mood').on('link_mood_ring_moods').column('mood').execute(),
    ],
    [
      'run raw SQL',
      async own => {
        await sql`drop table links`.execute(own)
      },
    ],
  ])('may not %s', async (_, migration) => {
    await expect(migratePlugin(db, withMigrations({ '1-first': migration }), now)).rejects.toThrow(
      /a plugin may only use tables named link_mood_ring_…/,
    )
  })

  it('keep their checksum when only the wording changes', async () => {
    const reworded: Migration = own =>
      own.schema
        .createTable('link_mood_ring_moods')
        .addColumn('link_id', 'integer', it => it.references('links.id'))
        .addColumn('mood', 'text')
        .execute()
    expect(await checksumOf(reworded, 'link.moodRing')).toBe(
      await checksumOf(makeMoods, 'link.moodRing'),
    )
  })
})

function make(table: { addColumn(name: string, type: 'text'): { execute(): Promise<void> } }) {
  return table.addColumn('a', 'text').execute()
}

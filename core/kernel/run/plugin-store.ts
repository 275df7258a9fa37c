import type { Json } from '../../plugin/fields.ts'
import type { Store } from '../../plugin.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'

const maxKeyLength = 200
const maxBytes = 64 * 1024
const maxKeys = 10_000
const pageSize = 100

/** The store of a plugin; `db` may be a transaction. */
export function createStore(db: Database, feature: string): Store {
  const own = (at: Database) => at.selectFrom('plugin_store').where('feature', '=', feature)

  async function add(tx: Tx, key: string, value: string): Promise<void> {
    const { count } = await own(tx)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= maxKeys) throw new Error(`${feature} already stores ${maxKeys} values.`)
    await tx.insertInto('plugin_store').values({ feature, key, value }).execute()
  }

  return {
    async get(key) {
      const row = await own(db).select('value').where('key', '=', key).executeTakeFirst()
      return row && (JSON.parse(row.value) as Json)
    },

    async set(key, given) {
      const value = asText(key, given)
      await inTransaction(db, async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('plugin_store')
          .set({ value })
          .where('feature', '=', feature)
          .where('key', '=', key)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) await add(tx, key, value)
      })
    },

    async delete(key) {
      const { numDeletedRows } = await db
        .deleteFrom('plugin_store')
        .where('feature', '=', feature)
        .where('key', '=', key)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async list(prefix = '', after = '') {
      const rows = await own(db)
        .select(['key', 'value'])
        .where('key', '>=', prefix)
        .where('key', '>', after)
        .where(({ fn, val }) => fn('substr', ['key', val(1), val([...prefix].length)]), '=', prefix)
        .orderBy('key')
        .limit(pageSize)
        .execute()
      return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as Json }))
    },
  }
}

function asText(key: string, value: Json): string {
  if (key === '' || key.length > maxKeyLength) {
    throw new Error(
      `A key of the store has 1 to ${maxKeyLength} characters, and not ${key.length}.`,
    )
  }
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new Error(`The value of ${key} must be JSON.`)
  if (Buffer.byteLength(text) > maxBytes) {
    throw new Error(`The value of ${key} is larger than ${maxBytes / 1024} KiB.`)
  }
  return text
}

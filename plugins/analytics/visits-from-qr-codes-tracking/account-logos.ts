import { type Context, type Migration, type Refusal, refuse } from '../../../core/plugin.ts'
import { decodeLogo, type Logo, loadPng } from './logo.ts'

type Db = Context['db']

const table = 'analytics_visits_from_qr_codes_tracking_logos'

export const makeLogosTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('account_id', 'bigint', c =>
      c.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('file', 'blob', c => c.notNull())
    .execute()
}

const begins = 'data:image/png;base64,'

/** The logo in a data URI, or a refusal that says what is wrong with it. */
export async function logoOf(dataUri: string): Promise<Logo | Refusal> {
  if (!dataUri.startsWith(begins)) return wrong('Must be a PNG as a data URI.')
  const logo = await decodeLogo(Buffer.from(dataUri.slice(begins.length), 'base64'))
  return typeof logo === 'string' ? wrong(`The image ${logo}.`) : logo
}

function wrong(detail: string): Refusal {
  return refuse('validation_failed', detail, 422, 'image')
}

/** Stores the pixels of a logo, and nothing else of its file. */
export async function keepLogo(
  db: Db,
  accountId: number,
  { width, height, pixels }: Logo,
): Promise<void> {
  const { PNG } = await loadPng()
  const png = new PNG({ width, height })
  png.data = Buffer.from(pixels)
  const file = PNG.sync.write(png)
  await db
    .insertInto(table)
    .values({ account_id: accountId, file })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet({ file }))
    .execute()
}

/** The logo of an account. Its pixels are decoded only when they are needed. */
export async function findLogo(db: Db, accountId: number): Promise<Logo | undefined> {
  const row = await db
    .selectFrom(table)
    .select('file')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return undefined
  const { PNG } = await loadPng()
  const file = Buffer.from(row.file as Uint8Array)
  return {
    file,
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    get pixels() {
      return PNG.sync.read(file).data
    },
  }
}

/** Deletes the logo of an account. False if there is none. */
export async function forgetLogo(db: Db, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return Number(numDeletedRows) > 0
}

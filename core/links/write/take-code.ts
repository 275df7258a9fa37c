import type { Selectable } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { LinkPast } from '../../plugin.ts'
import { type Database, inOneGo, type Steps, step, type Tx } from '../../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../../storage/json-rows.ts'
import type { ShortCodesTable } from '../../storage/schema.ts'
import type { Link } from '../link.ts'
import { isReserved, type Paths } from './short-code.ts'

/** A code to take for a link that exists. */
export type CodeToTake = Selectable<ShortCodesTable> & {
  readonly link_id: number
  readonly account_id: number
}

/**
 * Makes a short code lead to a link, in the transaction that saves the link; false if the code is taken. A code
 * that was ever given out stays with its account even when its link is gone, and a link may go back to a code
 * that it had.
 */
export async function takeCode(tx: Tx, wanted: CodeToTake): Promise<boolean> {
  return (await inOneGo(tx, takingCodes(tx, [wanted]))).has(wanted.link_id)
}

/** The same for several codes, as a part of other steps: the row numbers of the links whose code was not taken. */
export function* takingCodes(tx: Tx, wanted: readonly CodeToTake[]): Steps<ReadonlySet<number>> {
  const { rows } = yield* step(take.withValues(tx, { given: asJson(wanted, columns) }))
  return new Set(rows.map(({ link_id }) => link_id as number))
}

/** Refuses a code that nobody can have; undefined for any other code, even a taken one. */
export function refuseReserved(domain: string, code: string, paths: Paths): Refusal | undefined {
  if (!isReserved(domain, code, paths)) return undefined
  return refuse('short_code_taken', `The short code ${code} is reserved.`, 409, 'shortCode')
}

/** The refusal of a code that another link has or had. */
export function refuseTaken(code: string): Refusal {
  return refuse('short_code_taken', `The short code ${code} is taken.`, 409, 'shortCode')
}

/** Makes codes from elsewhere lead to a new link, too. Refused: one that cannot be, or is taken. */
export async function takeFormerCodes(
  tx: Tx,
  { domain, rowId, accountId, createdAt }: Link,
  { formerCodes = [] }: Pick<LinkPast, 'formerCodes'>,
  paths: Paths,
): Promise<Refusal | undefined> {
  for (const [index, code] of formerCodes.entries()) {
    const wanted = { domain, code, link_id: rowId, account_id: accountId }
    const refusal =
      refuseReserved(domain, code, paths) ??
      ((await takeCode(tx, { ...wanted, created_at: createdAt.getTime() }))
        ? undefined
        : refuseTaken(code))
    if (refusal) return { ...refusal, field: `formerCodes[${index}]` }
  }
  return undefined
}

const columns: Columns<keyof CodeToTake> = {
  texts: ['domain', 'code'],
  numbers: ['link_id', 'account_id', 'created_at'],
}

const take = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db
    .insertInto('short_codes')
    .columns(namesOf(columns))
    .expression(rowsOf(given, columns))
    .onConflict(conflict =>
      conflict
        .columns(['domain', 'code'])
        .doUpdateSet(({ ref }) => ({ link_id: ref('excluded.link_id') }))
        .whereRef('short_codes.account_id', '=', 'excluded.account_id')
        .where(({ or, eb }) =>
          or([
            eb('short_codes.link_id', 'is', null),
            eb('short_codes.link_id', '=', eb.ref('excluded.link_id')),
          ]),
        ),
    )
    .returning('link_id'),
)

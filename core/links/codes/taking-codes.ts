import type { Selectable } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { CodeRules } from '../../plugin.ts'
import { type Database, type Steps, step, type Tx } from '../../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../../storage/json-rows.ts'
import type { ShortCodesTable } from '../../storage/schema.ts'
import { formOf, formsOn, usualRules, wrongWithCode } from './code-rules.ts'

/** A code to take for a link that exists. */
export type CodeToTake = Selectable<ShortCodesTable> & {
  readonly link_id: number
  readonly account_id: number
}

/** A code, and what it has in common with others. */
interface FormToTake extends Selectable<ShortCodesTable> {
  readonly form: string
}

/**
 * Makes codes lead to links, each with what is the same on its host; yields the row numbers of the links that got theirs and
 * can be followed there. The rules come from the database, because a server may not have heard yet that they changed.
 */
export function* takingCodes(tx: Tx, wanted: readonly CodeToTake[]): Steps<ReadonlySet<number>> {
  const { rows } = yield* step(take.withValues(tx, { given: asJson(wanted, columns) }))
  const taken = new Set(rows.map(({ link_id }) => link_id as number))
  const folded = rows.flatMap(({ rules, link_id }) => {
    const code = wanted.find(it => it.link_id === link_id) as CodeToTake
    const now = rules === null ? usualRules : (JSON.parse(rules) as CodeRules)
    if (wrongWithCode(code.code, now) !== undefined) taken.delete(code.link_id)
    const form = formOf(code.code, now)
    return form === undefined ? [] : [{ ...code, form }]
  })
  if (folded.length === 0) return taken
  for (const { link_id } of yield* takingForms(tx, folded)) taken.delete(link_id as number)
  return taken
}

/** Takes what codes have in common with others, one link each; yields those that another link has. */
export function* takingForms<Form extends FormToTake>(
  tx: Tx,
  wanted: readonly Form[],
): Steps<ReadonlySet<Form>> {
  const first = new Map<string, Form>()
  for (const it of wanted) {
    const key = `${it.domain} ${it.form}`
    if (!first.has(key)) first.set(key, it)
  }
  const asked = [...first.values()].map(it => ({
    ...it,
    domain: formsOn(it.domain),
    code: it.form,
  }))
  if (asked.length === 0) return new Set()
  const { rows } = yield* step(take.withValues(tx, { given: asJson(asked, columns) }))
  const taken = new Set(rows.map(row => `${row.domain} ${row.code} ${row.link_id}`))
  return new Set(wanted.filter(it => !taken.has(`${formsOn(it.domain)} ${it.form} ${it.link_id}`)))
}

const columns: Columns<keyof CodeToTake> = {
  texts: ['domain', 'code'],
  numbers: ['link_id', 'account_id', 'created_at'],
}

/**
 * A code that was ever given out stays with its account even when its link is gone, and a link may go back to a code that it
 * had.
 */
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
    .returning(eb => [
      'link_id',
      'domain',
      'code',
      eb
        .selectFrom('code_rules')
        .select('rules')
        .whereRef('code_rules.domain', '=', 'short_codes.domain')
        .as('rules'),
    ]),
)

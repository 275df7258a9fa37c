import { type Selectable, sql } from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { counted } from '../../lib/text/shown.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { CodeRules } from '../../plugin.ts'
import {
  type Database,
  inOneGo,
  inTransactionUnlessRefused,
  type Tx,
} from '../../storage/database.ts'
import { isInProcess } from '../../storage/database-kind.ts'
import type { ShortCodesTable } from '../../storage/schema.ts'
import { formOf, formsOn, wrongWithCode } from './code-rules.ts'
import { takingForms } from './taking-codes.ts'

type Code = Selectable<ShortCodesTable>

const atOnce = 500
/** More codes than this are not named in a refusal. */
const maxNamed = 100

/**
 * Changes the rules for the codes of a host, and what all of its codes have in common with others. Refused, with the codes, if
 * two links would have the same code, or if one could not be followed.
 */
export function changeCodeRules(
  db: Database,
  domain: string,
  rules: CodeRules,
): Promise<undefined | Refusal> {
  return inTransactionUnlessRefused(db, async tx => {
    // Nobody saves a code by the old rules while they change. SQLite has one writer anyway.
    if (!isInProcess(tx)) {
      await sql`lock table links, short_codes in share row exclusive mode`.execute(tx)
    }
    const text = JSON.stringify(rules)
    await tx
      .insertInto('code_rules')
      .values({ domain, rules: text })
      .onConflict(conflict => conflict.column('domain').doUpdateSet({ rules: text }))
      .execute()
    await dropForms(tx, domain)
    const lost: string[] = []
    const same: string[] = []
    for await (const codes of codesOn(tx, domain, true)) {
      lost.push(...codes.map(({ code }) => code).filter(it => wrongWithCode(it, rules)))
      same.push(...(await takeForms(tx, codes, rules)))
      if (lost.length > maxNamed || same.length > maxNamed) break
    }
    if (lost.length > 0) return refuseLost(lost)
    if (same.length > 0) return refuseSame(same)
    // Codes of links that are gone stay with their accounts, unless others have what is the same by now.
    for await (const codes of codesOn(tx, domain, false)) await takeForms(tx, codes, rules)
    return undefined
  })
}

/** Some at a time: a statement with a million would keep redirects waiting for seconds. */
async function dropForms(tx: Tx, domain: string): Promise<void> {
  for (;;) {
    const some = tx
      .selectFrom('short_codes')
      .select('code')
      .where('domain', '=', formsOn(domain))
      .limit(atOnce)
    const { numDeletedRows } = await tx
      .deleteFrom('short_codes')
      .where('domain', '=', formsOn(domain))
      .where('code', 'in', some)
      .executeTakeFirstOrThrow()
    if (numDeletedRows < atOnce) return
    await yieldToRedirects()
  }
}

/** The codes of a host that lead to links, or those that lead nowhere any more, some at a time. */
async function* codesOn(tx: Tx, domain: string, isLed: boolean): AsyncIterable<readonly Code[]> {
  let last = ''
  for (;;) {
    const codes = await tx
      .selectFrom('short_codes')
      .selectAll()
      .where('domain', '=', domain)
      .where('code', '>', last)
      .where('link_id', isLed ? 'is not' : 'is', null)
      .orderBy('code')
      .limit(atOnce)
      .execute()
    if (codes.length > 0) yield codes
    if (codes.length < atOnce) return
    last = codes.at(-1)?.code ?? ''
    await yieldToRedirects()
  }
}

/** The codes whose form another link has. */
async function takeForms(
  tx: Tx,
  codes: readonly Code[],
  rules: CodeRules,
): Promise<readonly string[]> {
  const wanted = codes.flatMap(it => {
    const form = formOf(it.code, rules)
    return form === undefined ? [] : [{ ...it, form }]
  })
  const refused = await inOneGo(tx, takingForms(tx, wanted))
  return wanted.filter(it => refused.has(it)).map(({ code }) => code)
}

function refuseSame(codes: readonly string[]): Refusal {
  const detail = `Codes of different links would be the same: ${named(codes)}. Change or delete one of each first.`
  return refuse('codes_collide', detail, 409, undefined, { codes: codes.slice(0, maxNamed) })
}

function refuseLost(codes: readonly string[]): Refusal {
  const detail = `Links have codes that only the wide grammar has: ${named(codes)}. Change or delete them first.`
  return refuse('codes_collide', detail, 409, undefined, { codes: codes.slice(0, maxNamed) })
}

function named(codes: readonly string[]): string {
  const shown = codes.slice(0, 10).join(', ')
  return codes.length <= 10 ? shown : `${shown} and ${counted(codes.length - 10, 'other')}`
}

import { inForm } from '../../lib/text/normal-form.ts'
import type { CodeRules } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { codePattern, readPath, suffixPattern } from './read-path.ts'
import { readWide, wrongWithWide } from './wide-code.ts'

/** The rules on a host; '' is that of the base URL. */
export type RulesOf = (domain: string) => CodeRules

/** The rules where nobody said anything. */
export const usualRules: CodeRules = { grammar: 'narrow', codes: 'exact', hyphens: 'strict' }

/** All rules that somebody set, by domain. */
export async function readCodeRules(db: Database): Promise<ReadonlyMap<string, CodeRules>> {
  const rows = await db.selectFrom('code_rules').selectAll().execute()
  return new Map(rows.map(({ domain, rules }) => [domain, JSON.parse(rules) as CodeRules]))
}

/** A short code in a path, and the suffix of a view after it. */
interface CodeInPath {
  readonly code: string
  readonly suffix: string | undefined
}

/** What a path, without its first slash, may name on a host. The first that there is counts. */
export function codesIn(path: string, { grammar }: CodeRules): readonly CodeInPath[] {
  if (grammar === 'narrow') {
    const read = readPath(path)
    return read ? [read] : []
  }
  const text = readWide(path.replace(/\/$/, ''))
  if (text === undefined || wrongWithWide(text) !== undefined) return []
  const whole: CodeInPath = { code: text, suffix: undefined }
  const [suffix] = suffixAtEnd.exec(text) ?? []
  const code = text.slice(0, -(suffix?.length ?? 0))
  // Whoever makes a code cannot hide a page about another link: none may end like a view.
  return suffix === undefined || wrongWithWide(code) !== undefined
    ? [whole]
    : [whole, { code, suffix }]
}

const suffixAtEnd = new RegExp(suffixPattern.source.slice(1))

/** What is wrong with a code on a host with these rules, as a sentence. */
export function wrongWithCode(code: string, { grammar }: CodeRules): string | undefined {
  if (grammar === 'wide') return wrongWithWide(code)
  return codePattern.test(code) ? undefined : narrowOnly
}

const narrowOnly =
  'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.'

/** The end of a code that would be taken for the suffix of a view. */
export function suffixOf(code: string): string | undefined {
  return suffixAtEnd.exec(code)?.[0]
}

/** What a code has in common with those that are the same on its host; undefined where only itself is the same. */
export function formOf(code: string, { codes, hyphens }: CodeRules): string | undefined {
  if (codes === 'exact' && hyphens === 'strict') return undefined
  const folded = codes === 'exact' ? code : inForm('NFKC', inOneCase(inForm('NFKC', code)))
  return hyphens === 'strict' ? folded : folded.replaceAll('-', '')
}

/**
 * In upper case a sharp s is two letters, if it was small, and the sigma at the end of a word is like any other.
 */
function inOneCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase()
}

/**
 * The domain under which `short_codes` has the forms of a host's codes, beside the codes themselves: one key for each, which
 * lets no two links have the same one. No name of a host begins so, and all are before it.
 */
export function formsOn(domain: string): string {
  return `${afterHosts}${domain}`
}

export const afterHosts = '~'

import { type Fields, type Refusal, refuse } from '../../../../core/plugin.ts'
import type { Source } from '../source.ts'

/** What people said of a source, checked. Secrets are apart, since they are kept apart. */
export interface Given {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
}

/** As JSON, in characters: each run keeps and shows its settings, and there are a hundred on a page. */
const longestSetting = 4_000

/** Checks settings as the source declares them. The first that is wrong is refused, by its name. */
export function readSettings(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  at = 'settings.',
): Given | Refusal {
  const unknown = Object.keys(given).find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined) {
    const known = Object.keys(fields).join(', ')
    const remedy = known === '' ? 'It has none.' : `There are: ${known}.`
    return wrong(`${at}${unknown}`, `There is no such setting. ${remedy}`)
  }
  const settings: Record<string, unknown> = {}
  const secrets: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] ?? field.default
    const isSecret = field.env !== undefined
    if (value === undefined || value === null) {
      if (field.isOptional) continue
      return wrong(`${at}${name}`, `${field.label} is missing.`)
    }
    if (JSON.stringify(value).length > longestSetting) return wrong(`${at}${name}`, 'Is too long.')
    const read = field.schema.safeParse(value)
    if (!read.success) {
      const [issue] = read.error.issues
      // What somebody wrote into a secret is shown nowhere.
      return wrong(`${at}${name}`, isSecret ? 'Is not valid.' : (issue?.message ?? 'Is not valid.'))
    }
    const into = isSecret ? secrets : settings
    into[name] = read.data
  }
  return { settings, secrets }
}

/** Settings as a source sees them: dates are dates. */
export function openSettings(
  fields: Fields,
  { settings, secrets }: Given,
): Readonly<Record<string, unknown>> {
  const all = { ...settings, ...secrets }
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = all[name]
      return [name, value === undefined ? undefined : field.open(value as never)]
    }),
  )
}

/** Whether a source asks for something secret. */
export function hasSecrets(fields: Fields): boolean {
  return Object.values(fields).some(({ env }) => env !== undefined)
}

/** A setting without which a source reads no server. */
export function missingWithoutFile(
  { file }: Pick<Source, 'file'>,
  { settings, secrets }: Given,
): string | undefined {
  return file?.orSettings?.find(name => settings[name] === undefined && secrets[name] === undefined)
}

function wrong(field: string, detail: string): Refusal {
  return refuse('validation_failed', detail, 422, field)
}

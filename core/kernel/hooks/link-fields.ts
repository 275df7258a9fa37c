import type { z } from 'zod'
import { abandon, isThenable } from '../../lib/async/thenable.ts'
import { blameFor } from '../../lib/schema/failing-schema.ts'
import type { GivenFields } from '../../links/hooks.ts'
import type { StoredField, StoredFields } from '../../links/link.ts'
import type { Field, Json } from '../../plugin/fields.ts'
import type { Plugin } from '../../plugin.ts'
import { unfitToAdd } from '../contain/check-additions.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'

export type WriteKind = 'create' | 'edit'

/** The fields that plugins add to links. */
export interface LinkFields {
  /** The fields that a request of this kind may have besides the core's. */
  requestShape(kind: WriteKind): Record<string, z.ZodType>
  /** The fields that a link has in answers besides the core's. */
  answerShape(): Record<string, z.ZodType>
  /** The fields of one link as answers show them. */
  show(stored: StoredFields): Record<string, Json>
  /** The hashes among stored fields, by the name of the field. */
  hashesIn(stored: StoredFields): Record<string, string>
  /** The part of a request that belongs to one plugin. */
  givenTo(plugin: Plugin, kind: WriteKind, given: GivenFields): GivenFields
  /** Undefined if a plugin fails. */
  store(
    before: StoredFields,
    given: GivenFields,
    kind: WriteKind,
    account: number,
  ): Promise<StoredFields | undefined>
  /** Stored fields as a plugin's hooks see them; `renew` keeps another form of one of them. */
  open(plugin: Plugin, stored: StoredFields, renew?: RenewField): Record<string, unknown>
}

/** Stores another form of the value of a field, some time later. */
type RenewField = (field: StoredField, form: () => Promise<Json>) => void

export function createLinkFields(
  plugins: readonly Plugin[],
  contain: Pick<Containment, 'run'>,
): LinkFields {
  const ofEach = (kind?: WriteKind) =>
    new Map(plugins.map(plugin => [plugin, fieldsIn(plugin, kind)]))
  const any = ofEach()
  const byKind = { create: ofEach('create'), edit: ofEach('edit') }
  const fieldsOf = (plugin: Plugin, kind?: WriteKind) =>
    (kind === undefined ? any : byKind[kind]).get(plugin) ?? []
  const shown = plugins.flatMap(plugin =>
    fieldsOf(plugin).flatMap(([key, { shown, stored }]) =>
      shown && stored ? [{ feature: plugin.feature, key, name: shown.name(key), shown }] : [],
    ),
  )

  return {
    requestShape: kind =>
      Object.fromEntries(
        plugins.flatMap(plugin =>
          fieldsOf(plugin, kind).map(([key, field]) => {
            const part = `fields.${key}`
            return [key, blamedSchema(requestSchema(field), { plugin, part, contain })]
          }),
        ),
      ),

    answerShape: () => Object.fromEntries(shown.map(({ name, shown }) => [name, shown.schema])),

    show: stored =>
      Object.fromEntries(
        shown.map(({ feature, key, name, shown }) => {
          const value = stored[feature]?.[key]
          return [name, orNull(() => shown.of(value), { feature, key }, contain)]
        }),
      ),

    hashesIn: stored =>
      Object.fromEntries(
        plugins.flatMap(plugin =>
          fieldsOf(plugin).flatMap(([key, { storeHash }]) => {
            const hash = storeHash && stored[plugin.feature]?.[key]
            return typeof hash === 'string' ? [[key, hash]] : []
          }),
        ),
      ),

    givenTo(plugin, kind, given) {
      const own: Record<string, unknown> = {}
      for (const [key] of fieldsOf(plugin, kind)) {
        if (given[key] !== undefined) own[key] = given[key]
      }
      return own
    },

    async store(before, given, kind, account) {
      const after: Record<string, Readonly<Record<string, Json>>> = { ...before }
      for (const plugin of plugins) {
        const kept: Record<string, Json> = { ...before[plugin.feature] }
        for (const [key, field] of fieldsOf(plugin, kind)) {
          const value = given[key]
          if (value === undefined || !field.stored) continue
          if (value === null) {
            delete kept[key]
            continue
          }
          const form = await toStore(field, value, { plugin, key, account }, contain)
          if (form === undefined) return undefined
          kept[key] = form
        }
        if (Object.keys(kept).length > 0) after[plugin.feature] = kept
        else delete after[plugin.feature]
      }
      return after
    },

    open(plugin, stored, renew) {
      const { feature } = plugin
      const own = stored[feature]
      if (!own) return {}
      return Object.fromEntries(
        fieldsOf(plugin).flatMap(([key, field]) =>
          own[key] === undefined
            ? []
            : [[key, openedOf(field, { feature, key, stored: own[key] }, renew)]],
        ),
      )
    },
  }
}

/** The stored form of a value; undefined if the plugin fails. Throws what is not its fault. */
async function toStore(
  field: Field,
  value: unknown,
  { plugin: { feature }, key, account }: Storing,
  contain: Pick<Containment, 'run'>,
): Promise<Json | undefined> {
  const work = () => field.store(value)
  const part = `fields.${key}`
  return unlessFailed(
    await contain.run(feature, 'store', work, { part, account, check: unfitToStore }),
  )
}

interface Storing {
  readonly plugin: Plugin
  readonly key: string
  /** Row id of the account that has the link. */
  readonly account: number
}

function unfitToStore(form: unknown): string | undefined {
  return JSON.stringify(form) === undefined ? 'its stored form is not JSON' : undefined
}

/** Null if the plugin fails: the link exists, and whoever lists links must see the others. */
function orNull(
  of: () => Json | undefined,
  { feature, key }: { readonly feature: string; readonly key: string },
  contain: Pick<Containment, 'run'>,
): Json {
  try {
    const shown = of() ?? null
    const unfit = unfitToAdd(shown)
    if (unfit !== undefined) throw new Error(`what it shows ${unfit}`)
    return shown
  } catch (error) {
    // Only what fails is run by the containment: a list of links shows thousands of fields.
    const fail = () => {
      throw error
    }
    void contain.run(feature, 'computed', fail, { part: `fields.${key}` })
    return null
  }
}

/** Throws where a hook is running, which has failed then. */
function openedOf(field: Field, own: StoredField, renew?: RenewField): unknown {
  const opened = field.open(own.stored, renew && (form => renew(own, form)))
  if (!isThenable(opened)) return opened
  abandon(opened)
  throw new Error(`the open of its field ${own.key} gives a promise`)
}

function fieldsIn(
  { fields = {} }: Plugin,
  kind?: WriteKind,
): readonly (readonly [string, Field])[] {
  return Object.entries(fields).filter(
    ([, { when }]) => kind === undefined || when === undefined || when === kind,
  )
}

/** Only what fails is run by the containment: a schema is called for each link. */
function blamedSchema(
  schema: z.ZodType,
  { plugin: { feature }, part, contain }: { plugin: Plugin; part: string } & Blaming,
): z.ZodType {
  return blameFor(schema, error => {
    const fail = () => {
      throw error
    }
    void contain.run(feature, 'validate', fail, { part })
  })
}

interface Blaming {
  readonly contain: Pick<Containment, 'run'>
}

function requestSchema({ schema, label, hint, canBeCleared = true }: Field): z.ZodType {
  return (canBeCleared ? schema.nullable() : schema)
    .optional()
    .meta({ description: hint ? `${label}. ${hint}` : `${label}.` })
}

import type { z } from 'zod'
import { type Link, shownToPlugins } from '../../links/link.ts'
import type { Json } from '../../plugin/fields.ts'
import type { Tx } from '../../storage/database.ts'
import { checkAdditions, unfitToAdd } from '../contain/check-additions.ts'
import type { Check } from '../contain/check-by-schema.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import type { LinkFields } from './link-fields.ts'

/** What plugins add to a link in answers: their stored fields and their computed members. */
export interface LinkAnswers {
  /** The dimensions whose totals links show beside their visits, by the name of the total. */
  readonly totals: Readonly<Record<string, string>>
  shape(): Readonly<Record<string, z.ZodType>>
  /**
   * One addition for each link, in the order of the links; as a transaction has them, if there is one.
   * @param late features whose plugins gave no answer in time for other links of the same page, to which it adds: they are not waited for again
   */
  of(links: readonly Link[], tx?: Tx, late?: Set<string>): Promise<readonly Addition[]>
  /** The same for new links whose requests gave plugins nothing. Asks only the plugins that do not say it beforehand. */
  ofNew(links: readonly Link[]): Promise<readonly Addition[]>
}

type Addition = Readonly<Record<string, Json>>

export function createLinkAnswers(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
): LinkAnswers {
  const showing = running.flatMap(({ plugin: { feature, computed }, context, within }) =>
    computed
      ? [{ feature, computed, context, within, checkFit: checkAdditions(computed.schema) }]
      : [],
  )

  /** If a plugin fails, its members are left out or null: the links exist, and may just have been saved. */
  async function additions(
    { feature, computed, context, within, checkFit }: (typeof showing)[number],
    links: readonly Link[],
    tx: Tx | undefined,
    late: Set<string> | undefined,
  ): Promise<readonly Addition[]> {
    const { schema } = computed
    if (late?.has(feature)) return links.map(() => whatFits(schema, {}))
    let given: readonly Addition[] = []
    const check: Check = answer => {
      const wrong = checkShape(answer, links.length)
      if (wrong === undefined) given = answer as readonly Addition[]
      return wrong ?? checkFit(answer, links.length)
    }
    const ask = () => computed.of(links.map(shownToPlugins), tx ? within(tx) : context)
    const answer = await contain.run(feature, 'computed', ask, {
      ...accountOf(links),
      isWriting: tx !== undefined,
      check,
    })
    if (!answer.ok && answer.isUnanswered) late?.add(feature)
    const fitting = unlessFailed(answer)
    return fitting ?? links.map((_, index) => whatFits(schema, given[index] ?? {}))
  }

  const asked = showing.filter(({ computed }) => !computed.atFirst)
  const known: Addition = Object.assign({}, ...showing.map(({ computed }) => computed.atFirst))

  async function addAll(
    links: readonly Link[],
    members: typeof showing,
    { first, tx, late }: { first?: Addition; tx?: Tx | undefined; late?: Set<string> | undefined },
  ): Promise<readonly Addition[]> {
    const parts = await Promise.all(members.map(member => additions(member, links, tx, late)))
    return links.map((link, index) =>
      Object.assign(fields.show(link.fields), first, ...parts.map(part => part[index])),
    )
  }

  return {
    totals: Object.assign({}, ...running.map(({ plugin }) => plugin.unstable?.totals)),

    shape: () =>
      Object.assign(fields.answerShape(), ...showing.map(({ computed }) => computed.schema)),

    of: (links, tx, late) => addAll(links, showing, { tx, late }),
    ofNew: links => addAll(links, asked, { first: known }),
  }
}

const checkShape = checkAdditions()

/** Keeps the values that match the schema. Others become null, or are left out if null does not match either. */
function whatFits(schema: Readonly<Record<string, z.ZodType>>, given: Addition): Addition {
  const fitting = Object.entries(schema).flatMap(([key, type]): [string, Json][] => {
    const value = given[key]
    if (value !== undefined && matches(type, value)) return [[key, value]]
    return matches(type, null) ? [[key, null]] : []
  })
  return Object.fromEntries(fitting)
}

/** A schema that throws, as one with an asynchronous check does, matches nothing. */
function matches(type: z.ZodType, value: Json): boolean {
  try {
    return unfitToAdd(value) === undefined && type.safeParse(value).success
  } catch {
    return false
  }
}

/** All links of an answer belong to the account that asked. */
function accountOf([first]: readonly Link[]) {
  return first && { account: first.accountId }
}

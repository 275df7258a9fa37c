import type { z } from 'zod'
import type { Link } from '../../links/link.ts'
import type { Json } from '../../plugin/fields.ts'
import { type Check, checkAdditions } from '../contain/check-answers.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import type { LinkFields } from './link-fields.ts'

/** What plugins add to the answer of a link: their stored fields, and what else they know of it. */
export interface LinkAnswers {
  /** The dimensions whose numbers links show beside their visits, by the name that they show. */
  readonly totals: Readonly<Record<string, string>>
  shape(): Readonly<Record<string, z.ZodType>>
  /** One addition a link, in the order of the links. */
  of(links: readonly Link[]): Promise<readonly Readonly<Record<string, Json>>[]>
}

export function createLinkAnswers(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
): LinkAnswers {
  const showing = running.flatMap(({ plugin: { feature, computed }, context }) =>
    computed ? [{ feature, computed, context, checkFit: checkAdditions(computed.schema) }] : [],
  )

  /** What a plugin fails to say of links is left open: they are there, and may just have been saved. */
  async function additions(
    { feature, computed, context, checkFit }: (typeof showing)[number],
    links: readonly Link[],
  ): Promise<readonly Addition[]> {
    const { schema } = computed
    let given: readonly Addition[] = []
    const check: Check = answer => {
      const wrong = checkShape(answer, links.length)
      if (wrong === undefined) given = answer as readonly Addition[]
      return wrong ?? checkFit(answer, links.length)
    }
    const ask = () => computed.of(links, context)
    const answer = await contain.run(feature, 'computed', ask, { ...accountOf(links), check })
    const fitting = unlessFailed(answer)
    return fitting ?? links.map((_, index) => whatFits(schema, given[index] ?? {}))
  }

  return {
    totals: Object.assign({}, ...running.map(({ plugin }) => plugin.totals)),

    shape: () =>
      Object.assign(fields.answerShape(), ...showing.map(({ computed }) => computed.schema)),

    async of(links) {
      const parts = await Promise.all(showing.map(member => additions(member, links)))
      return links.map((link, index) =>
        Object.assign(fields.show(link.fields), ...parts.map(part => part[index])),
      )
    },
  }
}

const checkShape = checkAdditions()

type Addition = Readonly<Record<string, Json>>

/** The values that are as declared; in place of others null, and where that would be wrong too, nothing. */
function whatFits(schema: Readonly<Record<string, z.ZodType>>, given: Addition): Addition {
  const fitting = Object.entries(schema).flatMap(([key, type]): [string, Json][] => {
    const value = given[key]
    if (value !== undefined && type.safeParse(value).success) return [[key, value]]
    return type.safeParse(null).success ? [[key, null]] : []
  })
  return Object.fromEntries(fitting)
}

/** Links are shown to whose they are. */
function accountOf([first]: readonly Link[]) {
  return first && { account: first.accountId }
}

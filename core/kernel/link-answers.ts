import type { z } from 'zod'
import type { Json } from '../fields.ts'
import type { Link } from '../links/link.ts'
import { checkAdditions } from './check-answers.ts'
import type { Containment } from './contain.ts'
import type { LinkFields } from './link-fields.ts'
import type { RunningPlugin } from './start-plugins.ts'

/** What plugins add to the answer of a link: their stored fields, and what else they know of it. */
export interface LinkAnswers {
  shape(): Readonly<Record<string, z.ZodType>>
  /** One addition a link, in the order of the links. */
  of(links: readonly Link[]): Promise<readonly Readonly<Record<string, Json>>[]>
}

export function createLinkAnswers(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
): LinkAnswers {
  const showing = running.filter(({ plugin }) => plugin.shows)

  async function additions({ plugin, context }: RunningPlugin, links: readonly Link[]) {
    const told = { ...accountOf(links), check: checkAdditions(links.length) }
    const ask = () => plugin.shows?.of(links, context)
    const answer = await contain.run(plugin.feature, 'show', ask, told)
    if (answer.ok && answer.value) return answer.value
    throw new Error(`${plugin.feature} could not say what it knows of a link.`)
  }

  return {
    shape: () =>
      Object.assign(fields.answerShape(), ...showing.map(({ plugin }) => plugin.shows?.schema)),

    async of(links) {
      const parts = await Promise.all(showing.map(member => additions(member, links)))
      return links.map((link, index) =>
        Object.assign(fields.show(link.fields), ...parts.map(part => part[index])),
      )
    },
  }
}

/** Links are shown to whose they are. */
function accountOf([first]: readonly Link[]) {
  return first && { account: first.accountId }
}

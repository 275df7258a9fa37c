import { randomInt } from 'node:crypto'
import { randomCode } from '../../../core/plugin.ts'

/** How short codes look that nobody chose. */
export const kinds = ['mixed', 'small', 'words'] as const
export type Kind = (typeof kinds)[number]

const adjectives =
  'brave bright calm clever eager early fair fond gentle glad happy keen kind light lively lucky merry mild neat noble proud quick quiet rapid rare royal sharp shy smart soft swift tall warm wild wise witty young'.split(
    ' ',
  )
const nouns =
  'badger beaver bison crane deer dove eagle falcon finch fox gull hare hawk heron ibex jay kite lark linnet lynx magpie mole moose newt osprey otter owl panda puffin raven robin seal shrew stork swan tern thrush toad trout wren'.split(
    ' ',
  )

/**
 * Makes a code of the kind that the operator chose; undefined if Linnet is to choose one. Each attempt that met a taken code
 * makes room for more of them.
 */
export function makeCode(kind: Kind, attempt: number): string | undefined {
  if (kind === 'mixed') return undefined
  if (kind === 'small') return randomCode(8 + attempt, 'small')
  const number = attempt === 0 ? [] : [`${randomInt(10 ** (1 + attempt))}`]
  return [oneOf(adjectives), oneOf(nouns), ...number].join('-')
}

function oneOf(all: readonly string[]): string {
  return all[randomInt(all.length)] ?? ''
}

import { randomInt } from 'node:crypto'

/** How short codes look that nobody chose. */
export const kinds = ['mixed', 'small', 'words'] as const
export type Kind = (typeof kinds)[number]

/** No two of them look or sound alike, and without vowels no word comes up by accident. */
const small = '23456789bcdfghjkmnpqrstvwxz'

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
  if (kind === 'small') return Array.from({ length: 8 + attempt }, () => oneOf([...small])).join('')
  const number = attempt === 0 ? [] : [`${randomInt(10 ** (1 + attempt))}`]
  return [oneOf(adjectives), oneOf(nouns), ...number].join('-')
}

function oneOf(all: readonly string[]): string {
  return all[randomInt(all.length)] ?? ''
}

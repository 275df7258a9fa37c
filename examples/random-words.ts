import { randomInt } from 'node:crypto'
import { definePlugin } from 'linnet/plugin'

const adjectives =
  'brave bright calm clever eager early fair fond gentle glad happy keen kind light lively lucky merry mild neat noble proud quick quiet rapid rare royal sharp shy smart soft swift tall warm wild wise witty young'.split(
    ' ',
  )
const nouns =
  'badger beaver bison crane deer dove eagle falcon finch fox gull hare hawk heron ibex jay kite lark linnet lynx magpie mole moose newt osprey otter owl panda puffin raven robin seal shrew stork swan tern thrush toad trout wren'.split(
    ' ',
  )

/** Makes short codes such as `brave-otter-512`. There are one and a half million of them. */
export default definePlugin({
  feature: 'custom.randomWords',
  about: 'Make up short codes of words that are easy to read out.',
  // Runs before this plugin, so that a code that the user has chosen is set already.
  needs: ['link.customShortCode'],
  prepare({ kind, shortCode }) {
    if (kind === 'edit' || shortCode !== undefined) return
    return { shortCode: `${oneOf(adjectives)}-${oneOf(nouns)}-${randomInt(1_000)}` }
  },
})

function oneOf(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? ''
}

import { randomInt } from 'node:crypto'
import { definePlugin, list } from 'linnet/plugin'

/** With at most four words of 15 letters and hyphens in between, a code has at most 63 characters. */
const aWord = /^[a-z]{1,15}$/

/** Makes short codes such as `otter`, then `otter-swift`: they get longer as the short ones are taken. */
export default definePlugin({
  feature: 'custom.wordCodes',
  about: 'Make up short codes of as few words as are free, from a list of your own.',
  // Runs before this plugin, so that a code that the user has chosen is set already.
  needs: ['link.customShortCode'],
  settings: {
    words: list({
      label: 'Words',
      hint: 'Of at most 15 letters each.',
      default: ['badger', 'crane', 'finch', 'heron', 'linnet', 'otter', 'puffin', 'wren'],
    }),
  },
  setup({ settings: { words } }) {
    const wrong = words.find(word => !aWord.test(word))
    if (wrong !== undefined) throw new Error(`${wrong} is no word of 1 to 15 small letters.`)
  },
  prepare({ kind, shortCode, attempt }, { settings: { words } }) {
    if (kind === 'edit' || shortCode !== undefined || words.length === 0) return
    // Two attempts for each length.
    const length = 1 + Math.floor(attempt / 2)
    return { shortCode: Array.from({ length }, () => words[randomInt(words.length)]).join('-') }
  },
})

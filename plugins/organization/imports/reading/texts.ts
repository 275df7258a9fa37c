/** Texts of other programs as Linnet has them: what nobody sees, or what is too long, is taken out, and `changes` says so. */

const title = 300
const notes = 5_000
const name = 100
const tagsEach = 50

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const breaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]+/g
/** What the checks of texts refuse: marks of direction, and spaces that nobody sees. */
const unseen = /[\u061c\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g
const seen = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A title, or null if there is none that people would see. */
export function titleOf(text: string | null | undefined, changes: string[]): string | null {
  return cut(oneLine(text ?? ''), title, 'title', changes)
}

/** Notes, with their lines. */
export function notesOf(text: string | null | undefined, changes: string[]): string | null {
  const kept = (text ?? '').toWellFormed().replace(controls, ' ').replace(unseen, '').trim()
  return cut(kept, notes, 'notes', changes)
}

/** Names of tags, each once. */
export function tagsOf(names: readonly string[], changes: string[]): readonly string[] {
  const tidy = names.map(it => cut(oneLine(it), name, 'name of a tag', changes))
  const all = [...new Set(tidy.filter(it => it !== null))]
  if (all.length > tagsEach) {
    changes.push(`The link has ${all.length} tags, of which the first ${tagsEach} come along.`)
  }
  return all.slice(0, tagsEach)
}

/** The name of a campaign, or null. */
export function campaignOf(text: string | null | undefined, changes: string[]): string | null {
  return cut(oneLine(text ?? ''), name, 'name of its campaign', changes)
}

/** A text of others in a sentence of ours: in quotation marks, and no longer than anybody reads. */
export function quoted(text: string): string {
  const shown = oneLine(text.slice(0, 100))
  return text.length > 100 ? `“${shown}…”` : `“${shown}”`
}

/** Text in one line, without what nobody sees. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(unseen, '').trim()
}

function cut(text: string, max: number, what: string, changes: string[]): string | null {
  if (!seen.test(text)) return null
  if (text.length <= max) return text
  const shown = max.toLocaleString('en')
  changes.push(
    `The ${what} is longer than ${shown} characters, of which the first ${shown} come along.`,
  )
  return text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim()
}

import type { TablerIcon } from '@tabler/icons-react'
import type { paletteTexts } from '../../texts/palette.ts'

/** An entry that the palette can find. */
export interface Command {
  readonly id: string
  readonly group: keyof typeof paletteTexts.groups
  readonly label: string
  /** Shown beside the label, and searched as well. */
  readonly hint?: string | undefined
  readonly icon: TablerIcon
  run(): unknown
  /** For a link: the URL to copy. */
  readonly shortUrl?: string
}

/** Whether a command contains all words of a search, in any order. */
export function fits({ label, hint = '' }: Command, search: string): boolean {
  const text = `${label} ${hint}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

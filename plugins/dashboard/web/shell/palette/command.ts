import type { TablerIcon } from '@tabler/icons-react'
import type { paletteTexts } from '../../texts/palette.ts'

/** One thing that the palette can find. */
export interface Command {
  readonly id: string
  readonly group: keyof typeof paletteTexts.groups
  readonly label: string
  /** Beside the label, and found too. */
  readonly hint?: string | undefined
  readonly icon: TablerIcon
  run(): unknown
  /** Of a link: what is copied. */
  readonly shortUrl?: string
}

/** Whether all words of a search are in a command, in any order. */
export function fits({ label, hint = '' }: Command, search: string): boolean {
  const text = `${label} ${hint}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

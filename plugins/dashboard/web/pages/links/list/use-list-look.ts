import { useLocalStorage } from '@mantine/hooks'

/** The parts of a link that the list can hide. */
export const listParts = ['originalUrl', 'labels', 'visits', 'created'] as const

export type ListPart = (typeof listParts)[number]

/** A column of a plugin, which can be hidden too. */
export type ListColumn = `${typeof ofColumn}${string}`

const ofColumn = 'column '

export const columnPart = (name: string): ListColumn => `${ofColumn}${name}`

/** The name of the column, if it is one. */
export const columnIn = (part: string): readonly string[] =>
  part.startsWith(ofColumn) ? [part.slice(ofColumn.length)] : []

export interface ListLook {
  /** Rows take less space. */
  readonly isCompact: boolean
  readonly hidden: readonly (ListPart | ListColumn)[]
}

/** How the list of links looks. Kept in this browser, because a phone has less room than a desktop. */
export function useListLook() {
  return useLocalStorage<ListLook>({
    key: 'linnet-list-look',
    defaultValue: { isCompact: false, hidden: [] },
    getInitialValueInEffect: false,
  })
}

import { useLocalStorage } from '@mantine/hooks'

/** The parts of a link that the list can hide. */
export const listParts = ['originalUrl', 'labels', 'visits', 'created'] as const

export type ListPart = (typeof listParts)[number]

export interface ListLook {
  /** Rows take less space. */
  readonly isCompact: boolean
  readonly hidden: readonly ListPart[]
}

/** How the list of links looks. Kept in this browser, because a phone has less room than a desktop. */
export function useListLook() {
  return useLocalStorage<ListLook>({
    key: 'linnet-list-look',
    defaultValue: { isCompact: false, hidden: [] },
    getInitialValueInEffect: false,
  })
}

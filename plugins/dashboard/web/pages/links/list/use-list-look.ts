import { useLocalStorage } from '@mantine/hooks'

/** What of a link the list may leave out. */
export const listParts = ['originalUrl', 'labels', 'visits', 'created'] as const

export type ListPart = (typeof listParts)[number]

export interface ListLook {
  /** Rows take less room. */
  readonly isCompact: boolean
  readonly hidden: readonly ListPart[]
}

/** How the list of links looks; kept in this browser, for a phone has less room than a desk. */
export function useListLook() {
  return useLocalStorage<ListLook>({
    key: 'linnet-list-look',
    defaultValue: { isCompact: false, hidden: [] },
    getInitialValueInEffect: false,
  })
}

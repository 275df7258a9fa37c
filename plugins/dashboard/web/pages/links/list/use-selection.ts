import { useState } from 'react'
import type { Link } from '../../../api/links/links.ts'

/**
 * Which links are selected: some on the screen, deselected once they leave it, or every link on all pages of
 * the list. `list` identifies the list, so that a selection of every link ends when the list changes.
 */
export function useSelection(links: readonly Link[], list: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [every, setEvery] = useState<string>()
  const isEvery = every === list
  const selected = isEvery ? links : links.filter(({ id }) => ids.has(id))
  const only = (some: readonly Link[]) => {
    setEvery(undefined)
    setIds(new Set(some.map(({ id }) => id)))
  }
  return {
    selected,
    /** Every link on all pages of the list is selected. */
    isEvery,
    toggle(id: string) {
      const others = selected.filter(it => it.id !== id)
      only(
        others.length < selected.length
          ? others
          : links.filter(it => it.id === id || ids.has(it.id)),
      )
    },
    toggleAll: () => only(selected.length < links.length ? links : []),
    selectEvery: () => setEvery(list),
    clear: () => only([]),
  }
}

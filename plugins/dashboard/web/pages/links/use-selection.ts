import { useState } from 'react'
import type { Link } from '../../api/links.ts'

/** Which of the links on the screen are selected; what leaves the screen is selected no more. */
export function useSelection(links: readonly Link[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = links.filter(({ id }) => ids.has(id))
  const only = (some: readonly Link[]) => setIds(new Set(some.map(({ id }) => id)))
  return {
    selected,
    toggle(id: string) {
      const others = selected.filter(it => it.id !== id)
      only(
        others.length < selected.length
          ? others
          : links.filter(it => it.id === id || ids.has(it.id)),
      )
    },
    toggleAll: () => only(selected.length < links.length ? links : []),
    clear: () => only([]),
  }
}

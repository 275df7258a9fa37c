import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Read again what a change has made stale. Resolves once the new data is on the screen. */
export function useRefresh(): (...keys: readonly QueryKey[]) => Promise<unknown> {
  const queryClient = useQueryClient()
  return useCallback(
    (...keys) => Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey }))),
    [queryClient],
  )
}

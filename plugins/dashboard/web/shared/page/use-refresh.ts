import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Read again what a change has made old; it resolves once what is on the screen is new. */
export function useRefresh(): (...keys: readonly QueryKey[]) => Promise<unknown> {
  const queryClient = useQueryClient()
  return useCallback(
    (...keys) => Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey }))),
    [queryClient],
  )
}

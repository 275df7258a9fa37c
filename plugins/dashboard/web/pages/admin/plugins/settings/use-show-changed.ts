import { useQueryClient } from '@tanstack/react-query'
import { type PluginState, pluginStatesQuery } from '../../../../api/admin/plugins.ts'

/** Put a changed plugin in its place in the list of all. */
export function useShowChanged(): (changed: PluginState) => void {
  const queryClient = useQueryClient()
  return changed => {
    queryClient.setQueryData(pluginStatesQuery.queryKey, plugins =>
      plugins?.map(it => (it.feature === changed.feature ? changed : it)),
    )
  }
}

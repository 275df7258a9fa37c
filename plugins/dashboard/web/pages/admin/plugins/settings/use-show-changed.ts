import { useQueryClient } from '@tanstack/react-query'
import { type PluginState, pluginStatesQuery } from '../../../../api/admin/plugins.ts'

/** Replaces a changed plugin in the cached list of all plugins. */
export function useShowChanged(): (changed: PluginState) => void {
  const queryClient = useQueryClient()
  return changed => {
    queryClient.setQueryData(pluginStatesQuery.queryKey, plugins =>
      plugins?.map(it => (it.feature === changed.feature ? changed : it)),
    )
  }
}

import { type PluginPackage, pluginPackagesKey } from '../../../../api/admin/plugin-packages.ts'
import { pluginStatesQuery } from '../../../../api/admin/plugins.ts'
import { notifyDone, notifyFailed } from '../../../../shared/notices/notify.ts'
import { useRefresh } from '../../../../shared/page/use-refresh.ts'
import { adminTexts } from '../../../../texts/admin.ts'

const words = adminTexts.packages

/** Reports the result of an installation and reads again what it changed. */
export function useShowInstalled() {
  const refresh = useRefresh()
  return async ({ name, version, problem }: PluginPackage) => {
    const what = [name, version].join(' ')
    if (problem === null) notifyDone(words.added(what))
    else notifyFailed(words.leftOut(what))
    await refresh(pluginPackagesKey, pluginStatesQuery.queryKey)
  }
}

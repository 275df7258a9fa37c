import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PluginState, updatePlugin } from '../../../api/admin/plugins.ts'
import { confirm } from '../../../shared/dialogs/confirm.ts'
import { messageOf } from '../../../shared/notices/notify.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { useWanted } from '../use-wanted.ts'
import { useShowChanged } from './settings/use-show-changed.ts'

const words = adminTexts.plugins

/** Switches a plugin on or off; asks first if that would make links unreachable. */
export function useSwitch({ feature, label, switchedOn, guardedLinks }: PluginState) {
  const show = useShowChanged()
  const queryClient = useQueryClient()
  const { shown, want, forget } = useWanted(switchedOn)
  const { mutate, error } = useMutation({
    mutationFn: (enabled: boolean) => updatePlugin(feature, { enabled }),
    meta: { showsProblem: true },
    onSuccess(changed) {
      show(changed)
      // Its fields and dimensions show in forms, lists and charts.
      return queryClient.invalidateQueries()
    },
    onSettled: forget,
  })
  const change = (enabled: boolean) => {
    want(enabled)
    mutate(enabled)
  }
  return {
    isOn: shown,
    /** Why the switch was refused, such as another plugin that needs it. */
    problem: error && messageOf(error),
    flip(enabled: boolean) {
      if (enabled || guardedLinks === 0) return change(enabled)
      confirm({
        title: words.offHeading(label),
        text: words.offWarning(guardedLinks, formatNumber(guardedLinks)),
        confirm: words.off,
        onConfirm: () => change(enabled),
      })
    },
  }
}

import { Switch } from '@mantine/core'
import type { PluginState } from '../../../api/admin/plugins.ts'
import { adminTexts } from '../../../texts/admin.ts'
import panel from '../panel.module.css'
import { useSwitch } from './use-switch.ts'

const words = adminTexts.plugins

/** Whether a plugin is on. */
export function PluginSwitch({ plugin }: { readonly plugin: PluginState }) {
  const { isOn, flip, problem } = useSwitch(plugin)
  const isFixed = plugin.decidedBy === 'environment'
  return (
    <div className={panel.panel}>
      <Switch
        label={words.enabled}
        description={isFixed ? words.enabledFixed : words.enabledHint}
        error={problem}
        checked={isOn}
        disabled={isFixed}
        onChange={({ currentTarget }) => flip(currentTarget.checked)}
      />
    </div>
  )
}

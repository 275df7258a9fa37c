import { Button, Stack } from '@mantine/core'
import type { PluginState } from '../../../../api/admin/plugins.ts'
import { FieldControl } from '../../../../shared/fields/controls/field-control.tsx'
import { FormProblem } from '../../../../shared/notices/form-problem.tsx'
import { adminTexts } from '../../../../texts/admin.ts'
import { Panel } from '../../panel.tsx'
import { SaveBar } from '../../save-bar.tsx'
import { useFocusProblem } from '../../use-focus-problem.ts'
import { SecretLine } from './secret-line.tsx'
import { fieldOf } from './setting-fields.ts'
import { useSettingsForm } from './use-settings-form.ts'

/** The settings of a plugin, built from its own description of them, so that any plugin has a form. */
export function PluginSettings({ plugin }: { readonly plugin: PluginState }) {
  const { feature } = plugin
  const settings = plugin.settings.filter(({ variable }) => variable === null)
  const secrets = plugin.settings.filter(({ variable }) => variable !== null)
  const form = useSettingsForm(feature, settings)
  const element = useFocusProblem(form.errors)

  return (
    <Panel heading={adminTexts.plugins.settings}>
      <form ref={element} onSubmit={form.submit} noValidate>
        <Stack gap="lg">
          {settings.map(setting => (
            <FieldControl
              key={setting.name}
              field={fieldOf(setting)}
              value={form.values[setting.name]}
              errors={form.errors}
              onChange={value => form.set(setting.name, value)}
            />
          ))}
          {secrets.map(secret => (
            <SecretLine key={secret.name} secret={secret} />
          ))}
          <FormProblem problem={form.problem} />
          {!form.isStandard && (
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ alignSelf: 'start' }}
              onClick={form.useDefaults}
            >
              {adminTexts.plugins.useDefault}
            </Button>
          )}
          {settings.length > 0 && (
            <SaveBar isShown={form.isDirty} isPending={form.isPending} onDiscard={form.discard} />
          )}
        </Stack>
      </form>
    </Panel>
  )
}

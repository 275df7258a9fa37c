import {
  type PluginSetting,
  type PluginState,
  updatePlugin,
} from '../../../../api/admin/plugins.ts'
import { useFieldForm } from '../../../../shared/fields/use-field-form.ts'
import { isSame, type Values } from '../../../../shared/fields/values.ts'
import { useSubmit } from '../../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../../shared/notices/notify.ts'
import { adminTexts } from '../../../../texts/admin.ts'
import { defaultValues, settingChange, settingValues } from './setting-fields.ts'
import { useShowChanged } from './use-show-changed.ts'

const words = adminTexts.plugins

/** The form state of a plugin's settings, without secrets. */
export function useSettingsForm(
  feature: PluginState['feature'],
  settings: readonly PluginSetting[],
) {
  const show = useShowChanged()
  const state = useFieldForm<{ readonly settings: Values }>({ settings: settingValues(settings) })
  const values = state.values.settings
  const { submit, isPending, problem } = useSubmit(
    state.form,
    () => updatePlugin(feature, { settings: settingChange(settings, values) }),
    changed => {
      notifyDone(words.saved)
      show(changed)
      // The server may have normalized the values.
      const plain = changed.settings.filter(({ variable }) => variable === null)
      state.rebase({ settings: settingValues(plain) })
    },
  )
  return {
    values,
    errors: state.errors,
    isDirty: state.isDirty,
    isStandard: isSame(values, defaultValues(settings)),
    submit,
    isPending,
    problem,
    set: (name: string, value: unknown) => state.set('settings', { ...values, [name]: value }),
    useDefaults: () => state.set('settings', defaultValues(settings)),
    discard: state.form.reset,
  }
}

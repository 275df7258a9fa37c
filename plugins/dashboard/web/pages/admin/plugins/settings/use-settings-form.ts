import { useForm } from '@mantine/form'
import {
  type PluginSetting,
  type PluginState,
  updatePlugin,
} from '../../../../api/admin-plugins.ts'
import { notifyDone } from '../../../../shared/notify.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { texts } from '../../../../texts.ts'
import { useShowChanged } from '../use-show-changed.ts'
import {
  defaultValues,
  fieldName,
  isSame,
  orEmpty,
  type SettingValues,
  settingChange,
  settingValues,
} from './setting-fields.ts'

const words = texts.admin.plugins

/** The settings of a plugin in a form; secrets are not among them. */
export function useSettingsForm(
  feature: PluginState['feature'],
  settings: readonly PluginSetting[],
) {
  const show = useShowChanged()
  const form = useForm<{ readonly settings: SettingValues }>({
    initialValues: { settings: settingValues(settings) },
  })
  const values = form.values.settings
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ settings: values }) => updatePlugin(feature, { settings: settingChange(settings, values) }),
    changed => {
      notifyDone(changed.restartNeeded ? words.saved : words.savedAsIs)
      show(changed)
      // As the server has them now, which may be in other words.
      const plain = changed.settings.filter(({ variable }) => variable === null)
      const stored = { settings: settingValues(plain) }
      form.setInitialValues(stored)
      form.setValues(stored)
    },
  )
  return {
    values,
    errors: form.errors,
    problemOf: ({ name }: PluginSetting) =>
      Object.entries(form.errors).find(([path]) => path.startsWith(fieldName(name)))?.[1],
    isDirty: form.isDirty(),
    isStandard: isSame(values, defaultValues(settings)),
    submit,
    isPending,
    problem,
    set(setting: PluginSetting, given: unknown) {
      const { name } = setting
      const value = orEmpty(setting, given)
      form.setValues({ settings: { ...values, [name]: value } })
      form.setErrors(
        Object.fromEntries(
          Object.entries(form.errors).filter(([path]) => !path.startsWith(fieldName(name))),
        ),
      )
    },
    useDefaults: () => form.setValues({ settings: defaultValues(settings) }),
    discard: form.reset,
  }
}

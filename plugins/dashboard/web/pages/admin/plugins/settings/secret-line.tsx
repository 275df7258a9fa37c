import { Input } from '@mantine/core'
import type { PluginSetting } from '../../../../api/admin/plugins.ts'
import { Mark } from '../../../../shared/icons/mark.tsx'
import { adminTexts } from '../../../../texts/admin.ts'
import classes from './secret-line.module.css'

const words = adminTexts.plugins

/** A setting that only the environment may hold: whether it is set, and by which variable. */
export function SecretLine({ secret }: { readonly secret: PluginSetting }) {
  const { label, hint, isSet, variable } = secret
  const name = variable ?? ''
  return (
    <div>
      <Input.Label labelElement="div" className={classes.label}>
        {label}
        <Mark color={isSet ? 'teal' : 'gray'}>{isSet ? words.secret.set : words.secret.unset}</Mark>
      </Input.Label>
      <Input.Description>
        {[hint, isSet ? words.secretSet(name) : words.secretUnset(name)].filter(Boolean).join(' ')}
      </Input.Description>
    </div>
  )
}

import { Alert } from '@mantine/core'
import { IconLock, IconRefresh } from '../../../shared/icons.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './notice.module.css'

const words = adminTexts.plugins

/** What was changed is stored, and not in effect yet. */
export function RestartNotice({ text }: { readonly text: string }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconRefresh size={18} />}
      title={words.restartHeading}
      role="status"
      classNames={classes}
    >
      {text}
    </Alert>
  )
}

/** Why nothing can be switched here. */
export function FixedNotice() {
  return (
    <Alert
      color="gray"
      variant="light"
      icon={<IconLock size={18} />}
      title={words.fixedHeading}
      role="note"
      classNames={classes}
    >
      {words.fixed}
    </Alert>
  )
}

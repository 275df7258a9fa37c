import { Alert } from '@mantine/core'
import { IconLock } from '../../../shared/icons/icons.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './notice.module.css'

const words = adminTexts.plugins

/** Explains why plugins cannot be switched here. */
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

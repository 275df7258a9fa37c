import { IconLock } from '../../../shared/icons/icons.ts'
import { texts } from '../../../texts.ts'
import { Card } from '../card/card.tsx'
import classes from './barred.module.css'

/** Names what could be counted but is not, so that nobody looks for it in vain. */
export function Barred({ what }: { readonly what: readonly string[] }) {
  if (what.length === 0) return null
  return (
    <Card heading={texts.analytics.barred}>
      <ul className={classes.list}>
        {what.map(about => (
          <li key={about}>
            <IconLock size={16} aria-hidden="true" />
            {about}
          </li>
        ))}
      </ul>
    </Card>
  )
}

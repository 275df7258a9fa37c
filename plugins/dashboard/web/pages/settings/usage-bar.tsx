import { Progress } from '@mantine/core'
import { unlimited } from '../../api/account/profile.ts'
import { formatNumber } from '../../shared/text/format.ts'
import { settingsTexts } from '../../texts/settings.ts'
import classes from './usage-bar.module.css'

export interface UsageBarProps {
  readonly label: string
  /** Shown when all of it is used. */
  readonly usedUp: string
  readonly used: number
  readonly max: number
}

/** How much of a limit is used; if it is unlimited, there is no percentage to show. */
export function UsageBar({ label, usedUp, used, max }: UsageBarProps) {
  const isUnlimited = max >= unlimited
  return (
    <div>
      <div className={classes.line}>
        <span>{label}</span>
        <span className={classes.numbers}>
          {isUnlimited
            ? settingsTexts.usedUnlimited(formatNumber(used))
            : settingsTexts.usedOf(formatNumber(used), formatNumber(max))}
        </span>
      </div>
      {isUnlimited ? (
        <div className={classes.endless} />
      ) : (
        <Progress value={percentOf(used, max)} color={colorOf(used, max)} aria-label={label} />
      )}
      {!isUnlimited && used >= max && <p className={classes.over}>{usedUp}</p>}
    </div>
  )
}

/** A limit of zero is always reached. */
function percentOf(used: number, max: number): number {
  return max === 0 ? 100 : Math.min(100, (used / max) * 100)
}

function colorOf(used: number, max: number): string {
  if (used >= max) return 'linnet'
  return used >= max * 0.8 ? 'orange' : 'teal'
}

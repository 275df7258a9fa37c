import type { Numbers } from '../../../api/analytics/analytics.ts'
import { formatNumber, formatShare } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'
import { Change } from '../card/change.tsx'
import type { Dimension } from '../words/dimensions.ts'
import classes from './tiles.module.css'

export interface TilesProps {
  readonly dimensions: readonly Dimension[]
  readonly numbers: Numbers
}

/** The totals, each with its value in the previous span. */
export function Tiles({ dimensions, numbers: { totals, undated, previous } }: TilesProps) {
  return (
    <dl className={classes.tiles}>
      {dimensions.map(({ name, label }) => {
        const change = previous?.change[name]
        return (
          <div key={name} className={classes.tile}>
            <dt>{label}</dt>
            <dd className={classes.number}>{formatNumber(totals[name] ?? 0)}</dd>
            <dd className={classes.notes}>
              {typeof change === 'number' && <Change change={change} isNeutral={name === 'bots'} />}
              {previous && (
                <span>{texts.analytics.was(formatNumber(previous.totals[name] ?? 0))}</span>
              )}
              <Note name={name} totals={totals} undated={undated} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface NoteProps {
  readonly name: string
  readonly totals: Numbers['totals']
  readonly undated: number
}

/** An additional note for the totals that we know. */
function Note({ name, totals, undated }: NoteProps) {
  if (name === 'bots') return <span>{texts.analytics.botsApart}</span>
  if (name === 'visits' && undated > 0) {
    return <span>{texts.analytics.undated(formatNumber(undated))}</span>
  }
  const { visits = 0, visitsFromQrCodes = 0 } = totals
  if (name !== 'visitsFromQrCodes' || visits === 0) return null
  const share = visitsFromQrCodes / visits
  return (
    <>
      <span>{texts.analytics.qrAgainstLink(formatShare(share), formatShare(1 - share))}</span>
      <span className={classes.split} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </>
  )
}

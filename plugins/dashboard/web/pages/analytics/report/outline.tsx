import { Skeleton, VisuallyHidden } from '@mantine/core'
import { texts } from '../../../texts.ts'
import card from '../card/card.module.css'
import panels from '../panels/panels.module.css'
import { useCharts } from '../words/dimensions.ts'
import classes from './outline.module.css'
import report from './report.module.css'
import tiles from './tiles.module.css'

/** A placeholder for analytics that are loading, of the same size. */
export function Outline() {
  const { numbers } = useCharts()
  return (
    <div className={report.report} aria-busy="true">
      <VisuallyHidden role="status">{texts.shell.loading}</VisuallyHidden>
      <div className={tiles.tiles} aria-hidden="true">
        {numbers.map(({ name, label }) => (
          <div key={name} className={tiles.tile}>
            <span className={classes.label}>{label}</span>
            <Skeleton className={classes.number} />
            <div className={tiles.notes} />
          </div>
        ))}
      </div>
      <Panel height={260} />
      <div className={panels.panels}>
        <Panel height={260} />
        <Panel height={260} />
      </div>
    </div>
  )
}

function Panel({ height }: { readonly height: number }) {
  return (
    <div className={card.card}>
      <div className={card.header}>
        <Skeleton width={128} height={16} />
      </div>
      <Skeleton height={height} />
    </div>
  )
}

import { Skeleton, VisuallyHidden } from '@mantine/core'
import { texts } from '../../texts.ts'
import panels from './panels.module.css'
import classes from './report.module.css'
import tiles from './tiles.module.css'

/** The outline of numbers that are on their way. */
export function Outline() {
  return (
    <div className={classes.report} aria-busy="true">
      <VisuallyHidden role="status">{texts.shell.loading}</VisuallyHidden>
      <div className={tiles.tiles}>
        <Skeleton height={118} />
        <Skeleton height={118} />
        <Skeleton height={118} />
      </div>
      <Skeleton height={340} />
      <div className={panels.panels}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </div>
    </div>
  )
}

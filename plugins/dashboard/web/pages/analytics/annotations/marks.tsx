import { analyticsTexts } from '../../../texts/analytics.ts'
import classes from './marks.module.css'
import { gatherMarks } from './place-annotations.ts'
import type { ChartAnnotations } from './use-annotations.tsx'

export interface MarksProps {
  readonly annotations: ChartAnnotations
  /** The position of a point, in pixels. */
  x(index: number): number
  /** The label of a point. */
  nameOf(index: number): string
}

/** As wide as a fingertip, in pixels. */
const markWidth = 24

/** A mark above each point that has annotations. */
export function Marks({ annotations, x, nameOf }: MarksProps) {
  return gatherMarks(annotations.placed, x, markWidth).map(mark => {
    const said = mark.annotations.map(({ text }) => text).join('; ')
    return (
      <button
        key={mark.index}
        type="button"
        className={classes.mark}
        style={{ left: x(mark.index) - markWidth / 2 }}
        aria-label={analyticsTexts.annotations.mark(nameOf(mark.index), said)}
        title={said}
        onClick={() => annotations.open(mark.index)}
      />
    )
  })
}

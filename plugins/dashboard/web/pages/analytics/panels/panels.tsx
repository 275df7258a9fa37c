import { memo } from 'react'
import {
  type AnalyticsQuestion,
  type Numbers,
  type Subject,
  valuesOf,
} from '../../../api/analytics/analytics.ts'
import { noValue } from '../../../api/analytics/value-said.ts'
import { locale } from '../../../language/language.ts'
import { texts } from '../../../texts.ts'
import type { Dimension } from '../words/dimensions.ts'
import { inColumns } from './in-columns.ts'
import { MapPanel } from './map-panel.tsx'
import { Panel } from './panel.tsx'
import classes from './panels.module.css'

export interface PanelsProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly numbers: Numbers
  /** Dimensions of the same plugin are together. */
  readonly panels: readonly (readonly Dimension[])[]
}

/** Visits by value: maps first, the other panels in two columns. Dimensions without visits are named below. */
export const Panels = memo(function Panels({ panels, ...shown }: PanelsProps) {
  const { numbers } = shown
  const isFilled = (panel: readonly Dimension[]) =>
    panel.some(({ name }) => valuesOf(numbers, name).some(({ value }) => value !== noValue))
  const filled = panels.filter(isFilled)
  const empty = panels.filter(panel => !isFilled(panel)).flat()
  const maps = filled.flat().filter(isMap)
  const others = filled
    .map(panel => panel.filter(it => !isMap(it)))
    .filter(panel => panel.length > 0)
  const rowsOf = (panel: readonly Dimension[]) =>
    Math.max(...panel.map(({ name }) => valuesOf(numbers, name).length))
  const columns = inColumns(others, panel => headingRows + rowsOf(panel))
  return (
    <>
      {maps.map(dimension => (
        <MapPanel key={dimension.name} {...shown} dimension={dimension} />
      ))}
      <div className={classes.panels}>
        {columns.map((column, side) => (
          <div key={side === 0 ? 'left' : 'right'} className={classes.column}>
            {column.map(panel => (
              <Panel key={panel[0]?.name} {...shown} dimensions={panel} />
            ))}
          </div>
        ))}
      </div>
      {empty.length > 0 && (
        <p className={classes.empty}>
          {texts.analytics.nothingOf(list.format(empty.map(({ label }) => label)))}
        </p>
      )}
    </>
  )
})

/** The height of a panel without its rows, measured in rows. */
const headingRows = 4

const list = new Intl.ListFormat(locale, { type: 'conjunction' })

function isMap({ chart }: Dimension): boolean {
  return chart === 'map'
}

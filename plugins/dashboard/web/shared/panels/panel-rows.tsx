import { type Shown, valuesIn } from '../shown/shown-value.ts'
import { Value } from '../shown/value.tsx'
import classes from './panel-rows.module.css'

export interface PanelRowsProps {
  readonly rows: readonly Shown[]
  readonly data: object
}

/** Values of one thing, each beside its name. */
export function PanelRows({ rows, data }: PanelRowsProps) {
  return (
    <dl className={classes.rows}>
      {rows.map(row => (
        <div key={row.name}>
          <dt>{row.label}</dt>
          <dd>
            <Values shown={row} data={data} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Values({ shown, data }: { readonly shown: Shown; readonly data: object }) {
  const values = valuesIn(data, shown)
  if (values.length === 0) return '–'
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values may be the same, and have no state
    <span key={index} className={classes.value}>
      <Value shown={shown} value={value} />
    </span>
  ))
}

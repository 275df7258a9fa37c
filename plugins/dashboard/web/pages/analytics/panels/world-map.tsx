import world from 'virtual:world-map'
import { type PointerEvent, useState } from 'react'
import type { ValueRow } from '../../../api/analytics/analytics.ts'
import { texts } from '../../../texts.ts'
import { MapTip, type TipPlace } from './map-tip.tsx'
import classes from './world-map.module.css'

export interface WorldMapProps {
  /** Their values are ISO 3166-1 alpha-2. */
  readonly rows: readonly ValueRow[]
  readonly marked: string | undefined
  onPoint(country: string | undefined): void
}

/** Where visits come from: the more visits, the deeper the colour. A list has the same values. */
export function WorldMap({ rows, marked, onPoint }: WorldMapProps) {
  const [place, setPlace] = useState<TipPlace>()
  const byCountry = new Map(rows.map(row => [row.value, row]))
  const most = Math.max(...rows.map(({ visits }) => visits))
  const pointed = marked === undefined ? undefined : byCountry.get(marked)

  const look = (code: string | null) => {
    const row = code === null ? undefined : byCountry.get(code)
    if (!row) return { className: classes.land }
    return {
      className: classes.visited,
      'data-country': row.value,
      'data-marked': row.value === marked || undefined,
      style: { fillOpacity: depthOf(row.visits, most) },
      onPointerEnter: () => onPoint(row.value),
      onPointerLeave: () => onPoint(undefined),
    }
  }

  return (
    <div className={classes.map}>
      <svg
        viewBox={world.view}
        role="img"
        aria-label={texts.analytics.map}
        onPointerMove={event => setPlace(placeOf(event))}
        onPointerLeave={() => setPlace(undefined)}
      >
        {world.lands.map(({ code, path }) => (
          <path key={path} d={path} {...look(code)} />
        ))}
        {world.places.map(
          ({ code, x, y }) =>
            byCountry.has(code) && <circle key={code} cx={x} cy={y} r="5" {...look(code)} />,
        )}
      </svg>
      {pointed && place && <MapTip row={pointed} place={place} />}
    </div>
  )
}

/** How deep a colour is, from 0 to 1. By the square root, so that one country does not outshine all others. */
function depthOf(visits: number, most: number): number {
  return 0.2 + 0.8 * Math.sqrt(visits / most)
}

function placeOf({ clientX, clientY, currentTarget }: PointerEvent): TipPlace {
  const { left, right, top, width } = currentTarget.getBoundingClientRect()
  const side = clientX - left > width / 2 ? { right: right - clientX } : { left: clientX - left }
  return { top: clientY - top, ...side }
}

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { valuesQuery } from '../../../api/analytics/analytics.ts'
import { part } from '../../../shared/dialogs/late.ts'
import { Card } from '../card/card.tsx'
import { SaveValues } from '../save/save-values.tsx'
import { Values, type ValuesProps } from '../values/values.tsx'
import classes from './map-panel.module.css'

// The outlines of the world are larger than the rest of the page.
const WorldMap = part(async () => (await import('./world-map.tsx')).WorldMap)

/** Countries on a map, with a list beside it for screen readers and people without a pointer. */
export function MapPanel(
  props: Pick<ValuesProps, 'subject' | 'question' | 'numbers' | 'dimension'>,
) {
  const { subject, question, dimension } = props
  const { data } = useQuery(valuesQuery(subject, question, dimension.name))
  const [marked, setMarked] = useState<string>()
  return (
    <Card heading={dimension.label} aside={<SaveValues {...props} />}>
      <div className={classes.sides}>
        <Suspense fallback={<Skeleton className={classes.map} />}>
          <WorldMap rows={data ?? []} marked={marked} onPoint={setMarked} />
        </Suspense>
        <Values {...props} marked={marked} onPoint={setMarked} />
      </div>
    </Card>
  )
}

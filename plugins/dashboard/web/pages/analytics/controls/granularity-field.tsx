import { Select } from '@mantine/core'
import { texts } from '../../../texts.ts'
import { granularities } from './granularities.ts'
import { useAnalyticsSearch } from './use-analytics-search.ts'

const automatic = 'automatic'

/** Choose the distance between points. */
export function GranularityField() {
  const { search, granularities: possible, change } = useAnalyticsSearch()
  const names = possible.map(value => ({ value, label: texts.analytics.granularities[value] }))
  return (
    <Select
      aria-label={texts.analytics.granularity}
      data={[{ value: automatic, label: texts.analytics.automatic }, ...names]}
      value={search.granularity ?? automatic}
      onChange={value => change({ granularity: granularities.find(it => it === value) })}
      allowDeselect={false}
    />
  )
}

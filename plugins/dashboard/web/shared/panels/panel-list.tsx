import { Skeleton } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Chosen, type Filling, listQuery, type Panel } from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { texts } from '../../texts.ts'
import { ChooseOne } from '../choices/choose-one.tsx'
import { MoreButton } from '../lists/more-button.tsx'
import { Failed } from './failed.tsx'
import classes from './panel.module.css'
import { PanelChart } from './panel-chart.tsx'
import { PanelTable } from './panel-table.tsx'

export interface PanelListProps {
  readonly panel: Panel
  readonly address: string
  readonly fill: Filling
}

/** A list that a plugin answers, as a chart, a table or both. */
export function PanelList({ panel, address, fill }: PanelListProps) {
  const [chosen, setChosen] = useState<Chosen>({})
  const filters = panel.table?.filters ?? []
  return (
    <>
      {filters.length > 0 && (
        <div className={classes.buttons}>
          {filters.map(({ name, label, words }) => (
            <ChooseOne
              key={name}
              aria-label={label}
              placeholder={texts.links.anyOf(label)}
              data={words}
              value={chosen[name] ?? null}
              onChange={value => setChosen({ ...chosen, [name]: value })}
              clearable
            />
          ))}
        </div>
      )}
      <Entries panel={panel} address={address} fill={fill} chosen={chosen} />
    </>
  )
}

function Entries({ panel, address, fill, chosen }: PanelListProps & { readonly chosen: Chosen }) {
  const { table, chart, from } = panel
  const { data, error, refetch, ...paging } = useInfiniteQuery({
    ...listQuery(address, from?.isPaged ?? false, chosen),
    placeholderData: keepPreviousData,
  })
  if (!data && !error) return <Skeleton height={60} />
  if (!data?.isList) return <Failed error={error} onRetry={refetch} />
  if (data.entries.length === 0) return <p className={classes.lead}>{panelTexts.nothing}</p>
  return (
    <>
      {chart && <PanelChart chart={chart} entries={data.entries} title={panel.title} />}
      {table && <PanelTable table={table} entries={data.entries} title={panel.title} fill={fill} />}
      <MoreButton {...paging} />
    </>
  )
}

import { Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import {
  addressOf,
  type Filling,
  type Panel,
  panelsKey,
  readAnswer,
} from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { Failed } from './failed.tsx'
import classes from './panel.module.css'
import { PanelButton } from './panel-button.tsx'
import { PanelForm } from './panel-form.tsx'
import { PanelList } from './panel-list.tsx'
import { PanelRows } from './panel-rows.tsx'

export interface PanelProps {
  readonly panel: Panel
  /** The id of the link that it is about. */
  readonly link?: string
}

/** A part of a page that a plugin declares. */
export function PluginPanel({ panel, link }: PanelProps) {
  const { title, lead } = panel
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {lead && <p className={classes.lead}>{lead}</p>}
      <PanelBody panel={panel} {...(link !== undefined && { link })} />
    </section>
  )
}

/** The same without its heading. Whatever its endpoints do, the rest of the page is as it is. */
export function PanelBody({ panel, link = '' }: PanelProps) {
  const { from, table, chart, buttons } = panel
  const isListed = table !== null || chart !== null
  const fill = () => link
  return (
    <div className={classes.body}>
      {from && isListed && <PanelList panel={panel} address={addressOf(from, fill)} fill={fill} />}
      {from && !isListed ? (
        <Answered panel={panel} address={addressOf(from, fill)} fill={fill} />
      ) : (
        <Contents panel={panel} data={undefined} fill={fill} />
      )}
      {buttons.length > 0 && (
        <div className={classes.buttons}>
          {buttons.map(it => (
            <PanelButton key={it.label} button={it} fill={fill} />
          ))}
        </div>
      )}
    </div>
  )
}

interface AnsweredProps {
  readonly panel: Panel
  readonly address: string
  readonly fill: Filling
}

function Answered({ panel, address, fill }: AnsweredProps) {
  const {
    data: answer,
    error,
    refetch,
  } = useQuery({
    queryKey: [...panelsKey, address],
    queryFn: ({ signal }) => readAnswer(address, signal),
  })
  if (!answer && !error) return <Skeleton height={60} />
  const { data } = answer ?? {}
  if (!answer || (data !== undefined && !isObject(data))) {
    return <Failed error={error} onRetry={refetch} />
  }
  return <Contents panel={panel} data={data} etag={answer.etag} fill={fill} />
}

interface ContentsProps {
  readonly panel: Panel
  readonly data: object | undefined
  readonly etag?: string
  readonly fill: Filling
}

function Contents({ panel: { rows, form }, data, etag, fill }: ContentsProps) {
  return (
    <>
      {rows.length > 0 &&
        (data ? (
          <PanelRows rows={rows} data={data} />
        ) : (
          <p className={classes.lead}>{panelTexts.nothing}</p>
        ))}
      {form && <PanelForm form={form} data={data} etag={etag} fill={fill} />}
    </>
  )
}

function isObject(it: unknown): it is object {
  return typeof it === 'object' && it !== null
}

import { Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import {
  addressOf,
  answerQuery,
  type Filling,
  isThere,
  type Panel,
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
export function PluginPanel(props: PanelProps) {
  const { title, lead } = props.panel
  const id = useId()
  if (!useIsThere(props)) return null
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {lead && <p className={classes.lead}>{lead}</p>}
      <PanelBody {...props} />
    </section>
  )
}

/** Whether the plugin shows a panel now. One whose endpoint fails is shown, and says so. */
export function useIsThere({ panel: { from, when }, link = '' }: PanelProps): boolean {
  const address = from ? addressOf(from, () => link) : ''
  const { data, error } = useQuery({ ...answerQuery(address), enabled: when.length > 0 })
  return error !== null || isThere(when, data)
}

/** The same without its heading. Whatever its endpoints do, the rest of the page is as it is. */
export function PanelBody({ panel, link = '' }: PanelProps) {
  const { from, table, chart } = panel
  const isListed = table !== null || chart !== null
  const fill = () => link
  return (
    <div className={classes.body}>
      {from && isListed && <PanelList panel={panel} address={addressOf(from, fill)} fill={fill} />}
      {from && !isListed ? (
        <Answered panel={panel} address={addressOf(from, fill)} fill={fill} />
      ) : (
        <Contents panel={panel} fill={fill} />
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
  const { data: answer, error, refetch } = useQuery(answerQuery(address))
  const { data } = answer ?? {}
  if (answer && (data === undefined || isObject(data))) {
    return (
      <Contents panel={panel} answer={{ data, etag: answer.etag }} from={address} fill={fill} />
    )
  }
  return (
    <>
      {answer || error ? <Failed error={error} onRetry={refetch} /> : <Skeleton height={60} />}
      <Buttons panel={panel} fill={fill} />
    </>
  )
}

interface ContentsProps {
  readonly panel: Panel
  readonly answer?: { readonly data: object | undefined; readonly etag: string }
  readonly from?: string
  readonly fill: Filling
}

function Contents({ panel, answer, from, fill }: ContentsProps) {
  const { rows, form } = panel
  const { data, etag } = answer ?? {}
  return (
    <>
      {rows.length > 0 &&
        (data ? (
          <PanelRows rows={rows} data={data} />
        ) : (
          <p className={classes.lead}>{panelTexts.nothing}</p>
        ))}
      {form && isThere(form.when, answer) && (
        <PanelForm form={form} data={data} etag={etag} from={from} fill={fill} />
      )}
      <Buttons panel={panel} answer={answer} fill={fill} />
    </>
  )
}

function Buttons({
  panel,
  answer,
  fill,
}: Pick<ContentsProps, 'panel' | 'fill'> & { answer?: ContentsProps['answer'] | undefined }) {
  const buttons = panel.buttons.filter(({ when }) => isThere(when, answer))
  if (buttons.length === 0) return null
  return (
    <div className={classes.buttons}>
      {buttons.map(it => (
        <PanelButton key={it.label} button={it} fill={fill} />
      ))}
    </div>
  )
}

function isObject(it: unknown): it is object {
  return typeof it === 'object' && it !== null
}

import { ActionIcon, Menu } from '@mantine/core'
import { useRef } from 'react'
import type { AnalyticsQuestion, Subject } from '../../../api/analytics/analytics.ts'
import { csvAddress } from '../../../api/analytics/csv-address.ts'
import { IconDownload } from '../../../shared/icons/icons.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import classes from './save-panel.module.css'

export interface SavePanelProps {
  readonly heading: string
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly what?: 'analytics' | 'analytics/links'
}

/** Saves what a panel shows as a file: its numbers, or a picture of it. */
export function SavePanel({ heading, subject, question, what }: SavePanelProps) {
  const button = useRef<HTMLButtonElement>(null)
  const save = async (format: 'svg' | 'png') => {
    const panel = button.current?.closest('section')
    if (!panel) return
    const { savePicture } = await import('./save-picture.ts')
    await savePicture(panel, heading, format)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          ref={button}
          data-unpictured
          className={classes.button}
          variant="subtle"
          color="gray"
          aria-label={analyticsTexts.save(heading)}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={csvAddress(subject, question, what)} download>
          {analyticsTexts.asCsv}
        </Menu.Item>
        <Menu.Item onClick={() => void save('svg')}>{analyticsTexts.asSvg}</Menu.Item>
        <Menu.Item onClick={() => void save('png')}>{analyticsTexts.asPng}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

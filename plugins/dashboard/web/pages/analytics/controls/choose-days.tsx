import '@mantine/dates/styles.layer.css'
import { Button, Group, Modal } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { texts } from '../../../texts.ts'
import { calendarWords } from './calendar-words.ts'
import classes from './choose-days.module.css'
import { firstDayOfWeek, weekendDays } from './week.ts'

export interface ChooseDaysProps {
  /** Such as `2026-11-20`. */
  readonly from: string | undefined
  readonly to: string | undefined
  onClose(): void
  onChoose(from: string, to: string): void
}

/** A calendar to choose the first and the last day of a span. */
export function ChooseDays({ from, to, onClose, onChoose }: ChooseDaysProps) {
  const [[first, last], setDays] = useState<[string | null, string | null]>([
    from ?? null,
    to ?? null,
  ])
  return (
    <Modal
      opened
      onClose={onClose}
      size="auto"
      title={texts.analytics.chooseDays}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <DatePicker
        type="range"
        className={classes.calendar}
        value={[first, last]}
        onChange={setDays}
        allowSingleDateInRange
        hideOutsideDates
        maxDate={new Date()}
        firstDayOfWeek={firstDayOfWeek}
        weekendDays={weekendDays}
        ariaLabels={texts.analytics.calendar}
        {...calendarWords}
      />
      <Group justify="end" mt="md">
        <Button disabled={!first || !last} onClick={() => first && last && onChoose(first, last)}>
          {texts.analytics.show}
        </Button>
      </Group>
    </Modal>
  )
}

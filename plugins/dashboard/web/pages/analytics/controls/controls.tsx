import { Button, Select, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import type { Interval, Subject } from '../../../api/analytics/analytics.ts'
import { csvAddress } from '../../../api/analytics/csv-address.ts'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { part } from '../../../shared/dialogs/late.ts'
import { IconDownload } from '../../../shared/icons/icons.ts'
import { texts } from '../../../texts.ts'
import { formatSpan } from '../words/format-span.ts'
import { browserZone, questionOf, usualInterval } from './analytics-search.ts'
import { type Calendar, calendarSpans } from './calendar-spans.ts'
import classes from './controls.module.css'
import { DomainField } from './domain-field.tsx'
import { GranularityField } from './granularity-field.tsx'
import { useAnalyticsSearch } from './use-analytics-search.ts'

// A calendar is a lot of code for people who never open it.
const ChooseDays = part(async () => (await import('./choose-days.tsx')).ChooseDays)

const ownDays = 'own'

/** Choose the span, granularity, time zone and comparison, or export it all as a file. */
export function Controls({ subject }: { readonly subject: Subject }) {
  const { search, change } = useAnalyticsSearch()
  const { interval, timezone, compare } = search
  return (
    <search className={classes.controls}>
      <SpanField />
      {subject.kind === 'account' && <DomainField />}
      <GranularityField />
      <ChooseOne
        className={classes.zone}
        aria-label={texts.analytics.timezone}
        data={zones(timezone)}
        value={timezone ?? browserZone()}
        onChange={zone => zone && change({ timezone: zone })}
        allowDeselect={false}
        nothingFoundMessage={texts.analytics.noZone}
      />
      <Switch
        className={classes.compare}
        label={texts.analytics.compare}
        checked={compare !== false && interval !== 'all'}
        disabled={interval === 'all'}
        onChange={({ currentTarget }) =>
          change({ compare: currentTarget.checked ? undefined : false })
        }
      />
      <Button
        className={classes.download}
        component="a"
        href={csvAddress(subject, questionOf(search))}
        download
        variant="default"
        leftSection={<IconDownload size={17} />}
      >
        {texts.links.exportCsv}
      </Button>
    </search>
  )
}

/** The intervals, and custom days, which a dialog asks for. */
function SpanField() {
  const { search, change } = useAnalyticsSearch()
  const { interval = usualInterval, from, to, timezone = browserZone() } = search
  const [isOpen, { open, close }] = useDisclosure(false)
  const days = from && to ? formatSpan(from, to, 'UTC') : texts.analytics.ownDays
  const names = Object.entries({ ...texts.analytics.intervals, ...texts.analytics.calendarSpans })
  const spans = calendarSpans(new Date(), timezone)
  const named = Object.entries(spans).find(([, it]) => it.from === from && it.to === to)?.[0]
  const isCalendar = (value: string): value is Calendar => Object.hasOwn(spans, value)
  return (
    <>
      <Select
        aria-label={texts.analytics.span}
        data={[
          ...names.map(([value, label]) => ({ value, label })),
          { value: ownDays, label: days },
        ]}
        value={from ? (named ?? ownDays) : interval}
        onOptionSubmit={value => {
          if (value === ownDays) open()
          else if (isCalendar(value)) change(spans[value])
          else change({ interval: value as Interval, from: undefined, to: undefined })
        }}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={420}
      />
      {isOpen && (
        <Suspense>
          <ChooseDays
            from={from}
            to={to}
            onClose={close}
            onChoose={(from, to) => {
              change({ from, to })
              close()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** All time zones that the browser lists, and the current ones, which it may list under another name. */
function zones(chosen: string | undefined): string[] {
  const others = [browserZone(), 'UTC', ...(chosen === undefined ? [] : [chosen])]
  return [...new Set([...others, ...Intl.supportedValuesOf('timeZone')])]
}

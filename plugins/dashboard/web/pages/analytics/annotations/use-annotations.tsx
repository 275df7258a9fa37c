import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import {
  type Annotation,
  annotationsQuery,
  type DaySpan,
} from '../../../api/analytics/annotations.ts'
import { useFeature } from '../../../api/instance/manifest.ts'
import { part } from '../../../shared/dialogs/late.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { IconMessagePlus } from '../../../shared/icons/icons.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { daysOfPoints, type Points, placeAnnotations } from './place-annotations.ts'

const AnnotationsDialog = part(
  async () => (await import('./annotations-dialog.tsx')).AnnotationsDialog,
)

/** The annotations in a chart. */
export interface ChartAnnotations {
  /** By the index of the point. */
  readonly placed: ReadonlyMap<number, readonly Annotation[]>
  /** Opens the annotations of a point's days, to add, change and delete. */
  open(index: number): void
}

export interface UsedAnnotations {
  /** Absent if the plan does not include annotations. */
  readonly chart: ChartAnnotations | undefined
  /** Opens all annotations in the chart. */
  readonly button: ReactNode
  readonly dialog: ReactNode
}

/** The annotations of the days in a chart, and the means to edit them. */
export function useAnnotations(of: Points): UsedAnnotations {
  const isOn = useFeature('analytics.annotations') === 'on' && of.points.length > 0
  const days = daysOfPoints(of)
  const span = { from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '' }
  const { data = none } = useQuery({ ...annotationsQuery(span), enabled: isOn })
  const dialog = useDialog<DaySpan>()
  if (!isOn) return { chart: undefined, button: null, dialog: null }
  const placed = placeAnnotations(data, days)
  return {
    chart: { placed, open: index => dialog.open(days[index]) },
    button: (
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={analyticsTexts.annotations.all}
        title={analyticsTexts.annotations.all}
        onClick={() => dialog.open(span)}
      >
        <IconMessagePlus size={18} />
      </ActionIcon>
    ),
    dialog: dialog.subject && (
      <Suspense>
        <AnnotationsDialog days={dialog.subject} isOpen={dialog.isOpen} onClose={dialog.close} />
      </Suspense>
    ),
  }
}

const none: readonly Annotation[] = []

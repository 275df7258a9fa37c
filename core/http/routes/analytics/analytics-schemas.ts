import { z } from 'zod'
import { momentOrDay } from '../../../lib/schema/moment.ts'
import { queryList, queryNumber } from '../../../lib/schema/query-values.ts'
import { shownAddress } from '../../../plugin/fields.ts'
import { granularities } from '../../../visits/facts/buckets.ts'
import {
  type DimensionKind,
  kindOf,
  type NamedDimension,
  noValue,
} from '../../../visits/facts/dimensions.ts'
import { intervals } from '../../../visits/read/range.ts'

/** What all queries for numbers have in common. */
const spanQuery = z.strictObject({
  from: momentOrDay.optional().meta({
    description: 'Start of the period, included; a day begins at midnight in the time zone.',
    examples: ['2026-10-01', '2026-10-01T08:00:00+02:00'],
  }),
  to: momentOrDay.optional().meta({
    description:
      'End of the period, not included, so `to` a day means up to its beginning. Default: the end of the current hour.',
    examples: ['2026-11-01'],
  }),
  interval: z.enum(intervals).optional().meta({
    description:
      'A period that ends now, in whole days or months of the time zone, the last of them in progress. Default: 30d, unless `from` is given.',
  }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'This time zone does not exist. Use an IANA name, such as Europe/Berlin.')
    .default('UTC')
    .meta({
      description: 'IANA name of the time zone for days and hours.',
      examples: ['Europe/Berlin', 'Asia/Kathmandu'],
    }),
  granularity: z.enum(granularities).optional().meta({
    description:
      'Distance between points over time. Default: chosen by the length of the period. At most 2,000 points.',
  }),
  compare: z.enum(['previous']).optional().meta({
    description: 'Also return the numbers of the previous period.',
  }),
  domain: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .meta({
      description: 'Count only visits of links on this host, as in the `domain` of a link.',
      examples: ['go.example.org'],
    }),
})

/** The query for the numbers of these dimensions. */
export function analyticsQuery(dimensions: readonly string[]) {
  const error = `The dimensions are ${dimensions.join(', ')}.`
  const dimensionName = z.string().meta({ pattern: `^(?:${dimensions.join('|')})$` })
  const areKnown = (names: readonly string[]) => names.every(it => dimensions.includes(it))
  return spanQuery.extend({
    dimensions: queryList(z.array(dimensionName).refine(areKnown, { error }))
      .transform(names => [...new Set(names)])
      .optional()
      .meta({
        description: 'Names, repeated or separated by commas. Default: all that the plan includes.',
        examples: dimensions.length > 1 ? [dimensions.slice(0, 2)] : [],
      }),
    limit: queryNumber(1, 1_000).default(10).meta({
      description: 'Number of values per dimension, most frequent first.',
    }),
  })
}

/** The query for the last minutes. */
export const liveQuery = spanQuery.pick({ domain: true })

export type SpanQuery = z.output<typeof spanQuery>
export type AnalyticsQuery = z.output<ReturnType<typeof analyticsQuery>>

/** The query for the most visited links, by values of these dimensions. */
export function topLinksQuery(dimensions: readonly ShownDimension[]) {
  const names = dimensionsOfKind(dimensions, ['values']).map(({ name }) => name)
  return spanQuery.extend({
    dimension: z
      .string()
      .refine(name => names.includes(name), {
        error: `The dimensions with values are ${names.join(', ')}.`,
      })
      .optional()
      .meta({
        description: 'Count only visits that have a value of this dimension, given as `value`.',
        pattern: `^(?:${names.join('|')})$`,
      }),
    value: z
      .string()
      .max(256)
      .optional()
      .meta({
        description: `The value as in the analytics: \`${noValue}\` for visits without one.`,
        examples: ['DE'],
      }),
    limit: queryNumber(1, 1_000)
      .default(10)
      .meta({ description: 'Links, the most visited first.' }),
  })
}

export type TopLinksQuery = z.output<ReturnType<typeof topLinksQuery>>

const count = z.int().min(0)
const points = z
  .array(z.object({ start: z.iso.datetime(), visits: count }))
  .meta({ id: 'Points', examples: [[{ start: '2026-11-13T23:00:00.000Z', visits: 42 }]] })
const previousVisits = count
  .optional()
  .meta({ description: 'In the previous period, if `compare` is set.' })
const values = z
  .array(
    z.object({
      value: z.string().meta({
        description: `\`${noValue}\` stands for all visits without a value, such as direct visits, which have no referer.`,
        examples: ['DE'],
      }),
      label: z.string().meta({ examples: ['Germany'] }),
      visits: count.meta({ examples: [21] }),
      share: z.number().meta({ description: 'Of all visits, from 0 to 1.', examples: [0.5] }),
      previousVisits,
    }),
  )
  .meta({ id: 'Values' })
const change = z.number().nullable()

const span = {
  from: z.iso.datetime().meta({ examples: ['2026-10-31T23:00:00.000Z'] }),
  to: z.iso.datetime().meta({ examples: ['2026-11-30T23:00:00.000Z'] }),
}

/** The answer with these dimensions. Plan and query decide which of them it has. */
export function analyticsAnswer(dimensions: readonly ShownDimension[]) {
  const numbers = dimensionsOfKind(dimensions, ['number', 'distinct'])
  const lines = optional(dimensionsOfKind(dimensions, ['line', 'distinct']), points)
  const visits = count.meta({ examples: [42] })
  const totals = z.object({ ...optional(numbers, count), visits })
  return z.object({
    data: z
      .object({
        ...span,
        totals,
        timezone: z.string().meta({ examples: ['Europe/Berlin'] }),
        granularity: z.enum(granularities).meta({ examples: ['day'] }),
        undated: count.meta({
          description:
            'Visits that were brought from elsewhere without their dates. They are in no period, and so in none of the other numbers.',
          examples: [0],
        }),
        previous: z
          .object({
            ...span,
            totals,
            change: z.object({ ...optional(numbers, change), visits: change }).meta({
              description:
                'Change of each total since the previous period, as a fraction: 0.5 is 50 % more. Null: the previous total was 0.',
            }),
            ...lines,
          })
          .nullable()
          .meta({ description: 'The previous period, if `compare` is set.' }),
        ...lines,
        ...optional(dimensionsOfKind(dimensions, ['values']), values),
      })
      .meta({
        id: 'Analytics',
        description:
          'One list per dimension, by its name: points over time, or its most frequent values with their share of all visits. A count of unique values, such as visitors, has points too, whose `visits` is that count; they add up to the total. It is counted by the day, so by the hour the list is empty.',
      }),
  })
}

/** The answer about the most visited links. */
export const topLinksAnswer = z.object({
  data: z
    .object({
      ...span,
      timezone: z.string(),
      granularity: z.enum(granularities),
      dimension: z.string().nullable(),
      value: z.string().nullable(),
      label: z.string().nullable().meta({ description: 'The value as people read it.' }),
      visits: count.meta({ description: 'Of all links, or those that have the value.' }),
      points: points.optional().meta({
        description: 'The same visits over time, where the plan has points over time.',
      }),
      links: z
        .array(
          z.object({
            id: z.string(),
            shortUrl: z.url(),
            shortCode: z.string(),
            domain: z.string(),
            originalUrl: shownAddress,
            title: z.string().nullable(),
            visits: count,
            share: z.number().meta({ description: 'Of `visits` of all links, from 0 to 1.' }),
            previousVisits,
          }),
        )
        .meta({ description: 'Those with any visits, the most visited first.' }),
      previous: z
        .object({ ...span, visits: count, change, points: points.optional() })
        .nullable()
        .meta({ description: 'The previous period, if `compare` is set.' }),
    })
    .meta({ id: 'TopLinks' }),
})

export type TopLinksData = z.output<typeof topLinksAnswer>['data']

/** The answer about the last minutes. */
export const liveAnswer = z.object({
  data: z
    .object({
      since: z.iso.datetime().meta({
        description:
          'Visits are counted from here: half an hour ago, or later if the server has started since or was too busy to remember all of it.',
      }),
      last5Minutes: count.meta({
        description: 'Visits in the last five minutes, the current one included, without robots.',
      }),
      last30Minutes: count,
      links: count.meta({
        description: 'Number of links that were visited in the last 30 minutes.',
      }),
      points: points.optional().meta({
        description: 'A point for each of these minutes, where the plan has points over time.',
      }),
    })
    .meta({ id: 'LiveVisits' }),
})

export type LiveData = z.output<typeof liveAnswer>['data']

/** The part of a dimension that tells what its numbers look like. */
export type ShownDimension = Pick<NamedDimension, 'name' | 'label' | 'chart' | 'distinct'>

function dimensionsOfKind(
  dimensions: readonly ShownDimension[],
  kinds: readonly DimensionKind[],
): readonly ShownDimension[] {
  return dimensions.filter(it => kinds.includes(kindOf(it)))
}

function optional<T extends z.ZodType>(dimensions: readonly ShownDimension[], schema: T) {
  return Object.fromEntries(
    dimensions.map(({ name, label }) => [name, schema.optional().meta({ description: label })]),
  )
}

/** Whether a text is the IANA name of a time zone, in any case. An offset is not. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

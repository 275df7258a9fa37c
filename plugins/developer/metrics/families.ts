import type { Measures, Timings } from '../../../core/plugin.ts'
import type { Family, Sample } from './exposition.ts'
import type { ProcessMeasures } from './watch-process.ts'

/** All that Prometheus is told. A name that is here stays: dashboards and alerts are made of them. */
export function familiesOf(of: Measures, its: ProcessMeasures): readonly Family[] {
  return [
    {
      name: 'linnet_visits_answered_total',
      help: 'Requests for short links by what they were answered.',
      type: 'counter',
      samples: by('outcome', of.answers),
    },
    {
      name: 'linnet_answer_seconds',
      help: 'How long answers to such requests took, of one in 64, without what they waited before.',
      type: 'histogram',
      samples: histogram(of.answerSeconds),
    },
    {
      name: 'linnet_event_loop_delay_seconds',
      help: 'How long whatever is asked waits first, since it was asked for last.',
      type: 'summary',
      samples: its.delays.map(([quantile, value]) => ({ labels: { quantile }, value })),
    },
    gauge('linnet_cached_links', 'Links that are followed without the database.', of.cachedLinks),
    gauge('linnet_visits_waiting', 'Visits that are not stored yet.', of.visits.waiting),
    counter('linnet_visits_dropped_total', 'Visits that no longer fit.', of.visits.dropped),
    gauge('linnet_visit_batches_unfolded', 'Batches not in the counts yet.', of.visits.unfolded),
    {
      name: 'linnet_health',
      help: 'How parts are: 0 well, 1 degraded, 2 failing.',
      type: 'gauge',
      samples: by('part', of.health),
    },
    {
      name: 'linnet_hook_failures',
      help: 'How often in a row hooks of plugins failed.',
      type: 'gauge',
      samples: by('hook', of.failingHooks),
    },
    {
      name: 'linnet_job_failed',
      help: 'Whether the last run of a job failed or was broken off.',
      type: 'gauge',
      samples: of.jobs.map(({ name, isFailed }) => ({
        labels: { job_name: name },
        value: Number(isFailed),
      })),
    },
    {
      name: 'linnet_job_ended_timestamp_seconds',
      help: 'When the last run of a job ended.',
      type: 'gauge',
      samples: of.jobs.flatMap(({ name, endedAt }) =>
        endedAt ? { labels: { job_name: name }, value: endedAt.getTime() / 1_000 } : [],
      ),
    },
    ...disk(of.disk),
    counter('process_cpu_seconds_total', 'Time on processors.', its.cpuSeconds),
    gauge('process_resident_memory_bytes', 'Memory held of the machine.', its.memoryBytes),
    gauge('process_start_time_seconds', 'When the process began.', its.startedAt),
    gauge('nodejs_heap_size_used_bytes', 'Of it, what JavaScript uses.', its.heapBytes),
  ]
}

function disk(bytes: Measures['disk']): readonly Family[] {
  if (!bytes) return []
  return [
    gauge('linnet_database_bytes', 'Size of the database.', bytes.database),
    gauge('linnet_database_log_bytes', 'Size of its write-ahead log.', bytes.log),
    gauge('linnet_disk_free_bytes', 'What is free on the disk of the data folder.', bytes.free),
  ]
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [{ value }] }
}

function by(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

function histogram({ upTo, count, sum }: Timings): readonly Sample[] {
  const buckets = [...upTo, ['+Inf', count] as const]
  return [
    ...buckets.map(([le, value]) => ({ suffix: '_bucket', labels: { le }, value })),
    { suffix: '_sum', value: sum },
    { suffix: '_count', value: count },
  ]
}

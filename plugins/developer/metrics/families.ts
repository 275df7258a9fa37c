import type { Measures, Timings } from '../../../core/plugin.ts'
import type { Family, Sample } from './exposition.ts'
import type { ProcessMeasures } from './watch-process.ts'

/** All metrics for Prometheus. Their names never change, because dashboards and alerts depend on them. */
export function familiesOf(of: Measures, its: ProcessMeasures): readonly Family[] {
  return [
    {
      name: 'linnet_visits_answered_total',
      help: 'Requests for short links, by outcome.',
      type: 'counter',
      samples: by('outcome', of.answers),
    },
    {
      name: 'linnet_answer_seconds',
      help: 'Time to answer a request for a short link, without waiting time; measured on one request in 64.',
      type: 'histogram',
      samples: histogram(of.answerSeconds),
    },
    {
      name: 'linnet_event_loop_delay_seconds',
      help: 'How long requests waited before they were handled, since the last scrape.',
      type: 'summary',
      samples: its.delays.map(([quantile, value]) => ({ labels: { quantile }, value })),
    },
    gauge(
      'linnet_cached_links',
      'Links kept in memory, which redirect without the database.',
      of.cachedLinks,
    ),
    gauge('linnet_visits_waiting', 'Visits that are not stored yet.', of.visits.waiting),
    counter(
      'linnet_visits_dropped_total',
      'Visits dropped because the queue was full.',
      of.visits.dropped,
    ),
    gauge(
      'linnet_visit_batches_unfolded',
      'Stored batches of visits that are not in the counts yet.',
      of.visits.unfolded,
    ),
    {
      name: 'linnet_health',
      help: 'State of each part: 0 ok, 1 degraded, 2 failing.',
      type: 'gauge',
      samples: by('part', of.health),
    },
    {
      name: 'linnet_hook_failures',
      help: 'Failures in a row of each hook of a plugin.',
      type: 'gauge',
      samples: by('hook', of.failingHooks),
    },
    {
      name: 'linnet_job_failed',
      help: 'Whether the last run of a job failed or was interrupted.',
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
    counter('process_cpu_seconds_total', 'CPU time used.', its.cpuSeconds),
    gauge('process_resident_memory_bytes', 'Resident memory.', its.memoryBytes),
    gauge('process_start_time_seconds', 'When the process started.', its.startedAt),
    gauge('nodejs_heap_size_used_bytes', 'Memory used by JavaScript objects.', its.heapBytes),
  ]
}

function disk(bytes: Measures['disk']): readonly Family[] {
  if (!bytes) return []
  return [
    gauge('linnet_database_bytes', 'Size of the database.', bytes.database),
    gauge('linnet_database_log_bytes', 'Size of the write-ahead log of the database.', bytes.log),
    gauge('linnet_disk_free_bytes', 'Free space on the disk of the data folder.', bytes.free),
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

import type { Checks } from './http/routes/health.ts'
import type { Containment } from './kernel/contain.ts'
import type { RunningPlugins } from './kernel/start-plugins.ts'
import type { Database } from './storage/database.ts'
import type { Places } from './visits/open-places.ts'
import type { Recorder } from './visits/recorder.ts'

/**
 * How the parts are. Only what keeps links from being followed or made counts as failing; a plugin that
 * is left out, visits that wait for the disk, and countries that nobody knows, are notes.
 */
export async function checkHealth({
  db,
  recorder,
  places,
  plugins,
  contain,
}: {
  readonly db: Database
  readonly recorder: Recorder
  readonly places: Places
  readonly plugins: RunningPlugins
  readonly contain: Containment
}): Promise<Checks> {
  return {
    storage: await checkStorage(db),
    visits: { ok: true, ...note(visitNotes(recorder, places)) },
    plugins: { ok: true, ...note(pluginNotes(plugins, contain)) },
  }
}

async function checkStorage(db: Database): Promise<Checks[string]> {
  try {
    await db.selectFrom('meta').select('key').limit(1).execute()
    return { ok: true }
  } catch {
    return { ok: false, note: 'The database does not answer; the log says why.' }
  }
}

function visitNotes(recorder: Recorder, { trouble }: Places): readonly string[] {
  const { queued, dropped, failing, failedDimensions } = recorder.health()
  return [
    ...(failing === undefined ? [] : [`Visits cannot be written: ${failing}; ${queued} wait.`]),
    ...(dropped === 0 ? [] : [`${dropped} visits were dropped.`]),
    ...Object.entries(failedDimensions).map(
      ([name, count]) => `${name} failed on ${count} visits.`,
    ),
    ...(trouble === undefined ? [] : [trouble]),
  ]
}

function pluginNotes({ leftOut }: RunningPlugins, contain: Containment): readonly string[] {
  return [
    ...Object.entries(leftOut).map(([feature, why]) => `${feature} is left out: ${why}.`),
    ...Object.entries(contain.health()).map(
      ([hook, { failures, open }]) =>
        `${hook} failed ${failures} times in a row${open ? ' and is asked only every 30 s' : ''}.`,
    ),
  ]
}

function note(sentences: readonly string[]): { note?: string } {
  return sentences.length === 0 ? {} : { note: sentences.join(' ') }
}

import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '../../../../core/plugin.ts'
import { beatsOfRunners } from './beats.ts'
import { deleteReport } from './report-rows.ts'
import { endOfRun, fileOf, findRun, runsTable } from './run.ts'

const hourMs = 3_600_000
/** How long an import waits for its file, how long the file of one that ended is kept, and how long reports are. */
const waitingMs = 24 * hourMs
const filesMs = 24 * hourMs
const reportsMs = 90 * 24 * hourMs

const killed = 'Its command was killed. What came stays, and the same command goes on.'

/** Ends imports whose file never came, and deletes files and reports that nobody needs any more. */
export async function tidyImports({ db, now, unstable }: Context): Promise<void> {
  const at = now().getTime()
  const { from, to } = beatsOfRunners(now(), waitingMs)
  await db
    .updateTable(runsTable)
    .set(endOfRun('stopped', 'Its file did not come within a day.', now()))
    .where('state', '=', 'waiting')
    .where('created_at', '<', at - waitingMs)
    .execute()
  await db
    .updateTable(runsTable)
    .set(endOfRun('stopped', killed, now()))
    .where('state', '=', 'running')
    .where('path', 'is not', null)
    .where(eb => eb.not(eb.between('beat_at', from, to)))
    .execute()
  const old = await db
    .selectFrom(runsTable)
    .select('id')
    .where('ended_at', '<', at - reportsMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('organization_imports_rows')
          .select('number')
          .whereRef('import_id', '=', `${runsTable}.id`),
      ),
    )
    .execute()
  for (const { id } of old) await deleteReport(db, { id: Number(id) })
  await removeFiles(dirname(unstable.files.pathOf(fileOf(0))), db, at)
}

/** Of imports that ended, or that there are not; also what was left half sent when the server was killed. */
async function removeFiles(folder: string, db: Context['db'], at: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const written = await stat(path).then(
      it => it.mtimeMs,
      () => undefined,
    )
    if (written === undefined || written > at - filesMs) continue
    const [, id] = /^import-(\d+)(?:-reading)?$/.exec(name) ?? []
    const run = id === undefined ? undefined : await findRun(db, Number(id))
    const isNeeded = run && (run.endedAt === null || run.endedAt > at - filesMs)
    if (!isNeeded) await rm(path, { recursive: true, force: true })
  }
}

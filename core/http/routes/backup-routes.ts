import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { within } from '../../lib/within.ts'
import { refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { type Backup, type Backups, backupKinds } from '../../storage/backups/backups.ts'
import { forAdmins, notAdmin, type Route, route } from '../api/route.ts'

const backupSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(backupKinds),
  bytes: z.int(),
  createdAt: z.iso.datetime(),
})

/** https://www.iana.org/assignments/media-types/application/vnd.sqlite3 */
const type = 'application/vnd.sqlite3'

/** How long a request waits for the copy that it began, in milliseconds. */
const waitMs = 5_000

/** Copies of the database, for admins. Without a database in a file there are none. */
export function backupRoutes({
  backups,
  log,
}: {
  readonly backups: Backups | undefined
  readonly log: Log
}): readonly Route[] {
  return [
    route('GET /admin/backups', {
      ...forAdmins,
      name: 'backups.list',
      summary: 'List the backups of the database, newest first',
      answer: z.strictObject({ data: z.array(backupSchema) }),
      handle: async () => ({ body: { data: ((await backups?.list()) ?? []).map(shown) } }),
    }),
    route('POST /admin/backups', {
      ...forAdmins,
      name: 'backups.create',
      summary: 'Back up the database now',
      answer: z.strictObject({
        data: backupSchema.nullable().meta({
          description: 'Null: the backup takes longer and continues. It will appear in the list.',
        }),
      }),
      problems: [409],
      async handle() {
        if (!backups) return notInFile
        const copy = backups.make('manual')
        if (!copy) return refuse('backup_running', 'A backup is already running.', 409)
        copy.catch(error => log.error('A backup failed', { error }))
        const made = await within(waitMs, copy, undefined)
        return { body: { data: made ? shown(made) : null } }
      },
    }),
    route('GET /admin/backups/:name', {
      ...forAdmins,
      // It has the digests of all passwords and tokens in it, and the secret that passes are signed with.
      scope: '*',
      name: 'backups.show',
      summary: 'Download a backup',
      media: [type],
      async handle({ caller, params: { name = '' } }) {
        if (!caller.isAdmin) return notAdmin
        const found = await backups?.find(name)
        if (!found) return notFound
        return {
          body: createReadStream(found.path),
          headers: {
            'Content-Type': type,
            'Content-Length': String(found.bytes),
            'Content-Disposition': `attachment; filename="${found.name}"`,
          },
        }
      },
    }),
    route('DELETE /admin/backups/:name', {
      ...forAdmins,
      name: 'backups.destroy',
      summary: 'Delete a backup',
      status: 204,
      handle: async ({ params: { name = '' } }) => ((await backups?.delete(name)) ? {} : notFound),
    }),
  ]
}

const notFound = refuse('not_found', 'There is no backup with this name.', 404)
const notInFile = refuse(
  'not_supported',
  'This database is not a file that Linnet can copy. Back it up with its own tools.',
  409,
)

function shown({ createdAt, ...backup }: Backup) {
  return { ...backup, createdAt: createdAt.toISOString() }
}

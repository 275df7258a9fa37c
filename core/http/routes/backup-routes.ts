import { z } from 'zod'
import { within } from '../../lib/async/within.ts'
import { openRegularFile } from '../../lib/files/regular-file.ts'
import { createTickets } from '../../lib/tickets.ts'
import { refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { type Backup, type Backups, backupKinds } from '../../storage/backups/backups.ts'
import type { RestorePreview } from '../../storage/backups/preview-restore.ts'
import { UnusableDatabase } from '../../storage/files/inspect-file.ts'
import { always, forAdmins, forWholeAdmins, type Route, route } from '../api/route/route.ts'

const backupSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(backupKinds),
  bytes: z.int().min(0),
  createdAt: z.iso.datetime(),
})

const compared = {
  backup: z.int().min(0),
  now: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Null: the current database cannot be read.' }),
}

const difference = z.strictObject({
  ...compared,
  lost: z.int().min(0).meta({ description: 'Created since the backup: they would be deleted.' }),
  returned: z.int().min(0).meta({ description: 'Deleted since: they would be restored.' }),
  reverted: z.int().min(0).meta({ description: 'Changed since: they would be changed back.' }),
})

const previewSchema = backupSchema.extend({
  schema: z.strictObject(compared),
  accounts: difference,
  links: difference,
  visits: z.strictObject(compared),
  settings: z.array(z.string()).nullable().meta({
    description:
      'The settings that would change, such as `plans`; null: the backup has none, and they stay.',
  }),
})

/** How long comparing two databases may take, in milliseconds. */
const previewMs = 120_000

/** https://www.iana.org/assignments/media-types/application/vnd.sqlite3 */
const type = 'application/vnd.sqlite3'

/** How long a download may wait to begin, in milliseconds. */
const passMs = 60_000

/** A browser can send no password with a download, so it is given a pass for one backup and one account instead. */
interface Pass {
  readonly name: string
  readonly accountId: number
}

/** How long a request waits for the copy that it began, in milliseconds. */
const waitMs = 5_000

const listAnswer = z.strictObject({ data: z.array(backupSchema) })
const madeAnswer = z.strictObject({
  data: backupSchema.nullable().meta({
    description: 'Null: the backup takes longer and continues. It will appear in the list.',
  }),
})
const downloadQuery = z.strictObject({
  pass: z.string().max(1_000).optional().meta({ description: 'Of a download link.' }),
})
const downloadAnswer = z.strictObject({
  data: z.strictObject({
    path: z.string().meta({ description: 'Of this instance; only your account can open it.' }),
    expiresAt: z.iso.datetime(),
  }),
})
const previewAnswer = z.strictObject({ data: previewSchema })

/** Copies of the database, for admins. There are none if the database is not in a file. */
export function backupRoutes({
  backups,
  preview,
  secret,
  now,
  log,
}: {
  readonly backups: Backups | undefined
  /** What would change if the copy with this path took the place of the database. Throws `UnusableDatabase`. */
  preview(path: string): Promise<RestorePreview>
  /** Signs download links. */
  readonly secret: Buffer
  readonly now: () => Date
  readonly log: Log
}): readonly Route[] {
  const passes = createTickets<Pass>({ secret, purpose: 'backup', lifeMs: passMs, now })
  return [
    route('GET /admin/backups', {
      ...forAdmins,
      name: 'backups.list',
      summary: 'List the backups of the database, newest first',
      answer: listAnswer,
      handle: async () => ({ body: { data: ((await backups?.list()) ?? []).map(shown) } }),
    }),
    route('POST /admin/backups', {
      ...forAdmins,
      name: 'backups.create',
      summary: 'Back up the database now',
      answer: madeAnswer,
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
      // A backup has the digests of all passwords and tokens in it, and the secret that signs passes.
      ...forWholeAdmins,
      name: 'backups.show',
      summary: 'Download a backup; a session needs a download link',
      query: downloadQuery,
      media: [type],
      async handle({ caller, params: { name = '' }, query: { pass = '' } }) {
        const found = await backups?.find(name)
        if (!found) return notFound
        if (caller.credential === 'session') {
          const allowed = passes.read(pass)?.content
          const opens = allowed?.name === name && allowed.accountId === caller.accountId
          if (!opens) return linkNeeded
        }
        const file = await openRegularFile(found.path)
        return {
          body: file.createReadStream(),
          headers: {
            'Content-Type': type,
            'Content-Length': String(found.bytes),
            'Content-Disposition': `attachment; filename="${found.name}"`,
          },
        }
      },
    }),
    route('POST /admin/backups/:name/download-link', {
      ...forWholeAdmins,
      name: 'backups.createDownloadLink',
      summary: 'Create a link that downloads a backup in your session, for a minute',
      answer: downloadAnswer,
      status: 201,
      asksPassword: always,
      async handle({ caller, params: { name = '' } }) {
        if (!(await backups?.find(name))) return notFound
        const expiresAt = new Date(now().getTime() + passMs)
        const pass = passes.make({ name, accountId: caller.accountId }, expiresAt.getTime())
        const path = `/api/v1/admin/backups/${encodeURIComponent(name)}?pass=${pass}`
        return { body: { data: { path, expiresAt } } }
      },
    }),
    route('GET /admin/backups/:name/preview', {
      ...forAdmins,
      name: 'backups.preview',
      summary: 'Say what restoring a backup would change; `linnet restore` does it',
      answer: previewAnswer,
      problems: [409],
      answerMs: previewMs,
      async handle({ params: { name = '' } }) {
        try {
          const found = await backups?.find(name)
          if (!found) return notFound
          const changes = await preview(found.path)
          return { body: { data: { ...shown(found), ...changes } } }
        } catch (error) {
          if (!(error instanceof UnusableDatabase)) throw error
          return refuse('backup_unusable', error.message, 409)
        }
      },
    }),
    route('DELETE /admin/backups/:name', {
      ...forAdmins,
      name: 'backups.destroy',
      summary: 'Delete a backup',
      status: 204,
      asksPassword: always,
      handle: async ({ params: { name = '' } }) => ((await backups?.delete(name)) ? {} : notFound),
    }),
  ]
}

const linkNeeded = refuse(
  'password_required',
  'A session downloads a backup by a link from `POST /admin/backups/:name/download-link`, with the current password.',
  403,
)
const notFound = refuse('not_found', 'There is no backup with this name.', 404)
const notInFile = refuse(
  'not_supported',
  'This database is not a file that Linnet can copy. Back it up with its own tools.',
  409,
)

function shown({ name, kind, bytes, createdAt }: Backup) {
  return { name, kind, bytes, createdAt }
}

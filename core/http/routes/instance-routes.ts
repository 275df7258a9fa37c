import { dirname } from 'node:path'
import { z } from 'zod'
import type { Storage } from '../../storage/database.ts'
import { databaseBytes, freeBytes } from '../../storage/files/disk-space.ts'
import { forAdmins, type Route, route } from '../api/route/route.ts'

const instanceSchema = z.strictObject({
  version: z.string().describe('Version of the running server, such as `0.1.0`.'),
  nodeVersion: z.string(),
  baseUrl: z.string().describe('What short URLs begin with, as LINNET_BASE_URL says.'),
  dashboardUrl: z
    .string()
    .describe('Where the dashboard and the API are, as LINNET_DASHBOARD_URL says.'),
  startedAt: z.iso.datetime(),
  memoryBytes: z.int().min(0).describe('Resident memory of the process.'),
  databaseBytes: z
    .int()
    .nullable()
    .describe('Size of the database; null if it is not a file of Linnet.'),
  logBytes: z.int().min(0).nullable().describe('Size of the write-ahead log.'),
  freeBytes: z.int().min(0).nullable().describe('Free space on the disk of the data folder.'),
})

const instanceAnswer = z.strictObject({ data: instanceSchema })

/** What runs here, for admins only: it would tell an attacker which security holes to try. */
export function instanceRoutes({
  version,
  baseUrl,
  dashboardUrl,
  storage: { file },
  startedAt,
}: {
  readonly version: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly storage: Pick<Storage, 'file'>
  readonly startedAt: Date
}): readonly Route[] {
  return [
    route('GET /admin/instance', {
      ...forAdmins,
      name: 'instance.show',
      summary: 'Show the version, start time, memory and disk usage of this instance',
      answer: instanceAnswer,
      handle() {
        const bytes = file === undefined ? undefined : databaseBytes(file)
        const data = {
          version,
          nodeVersion: process.versions.node,
          baseUrl,
          dashboardUrl,
          startedAt,
          memoryBytes: process.memoryUsage.rss(),
          databaseBytes: bytes?.file ?? null,
          logBytes: bytes?.log ?? null,
          freeBytes: file === undefined ? null : freeBytes(dirname(file)),
        }
        return { body: { data } }
      },
    }),
  ]
}

const findingSchema = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'problem']),
  says: z.string(),
  remedy: z.string().nullable(),
})

/** Everything that was checked. */
export const findingsSchema = z.strictObject({ data: z.array(findingSchema) })

/** Tells admins what is wrong around the program, and what to do about it. */
export function doctorRoutes(deps: {
  examine(): Promise<readonly z.output<typeof findingSchema>[]>
}): readonly Route[] {
  return [
    route('GET /admin/doctor', {
      ...forAdmins,
      name: 'doctor.show',
      summary: 'Check the disk, backups, clock, proxies and location data',
      answer: findingsSchema,
      handle: async () => ({ body: { data: await deps.examine() } }),
    }),
  ]
}

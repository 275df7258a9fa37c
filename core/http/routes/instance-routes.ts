import { dirname } from 'node:path'
import { z } from 'zod'
import { databaseBytes } from '../../doctor/examine-database.ts'
import { freeBytes } from '../../doctor/examine-folder.ts'
import type { Storage } from '../../storage/database.ts'
import { type Route, route } from '../api/route.ts'

const instanceSchema = z.strictObject({
  version: z.string().describe('Version of the running server, such as `0.1.0`.'),
  nodeVersion: z.string(),
  startedAt: z.iso.datetime(),
  memoryBytes: z.int().describe('Resident memory of the process.'),
  databaseBytes: z
    .int()
    .nullable()
    .describe('Size of the database; null if it is not a file of Linnet.'),
  logBytes: z.int().nullable().describe('Size of the write-ahead log.'),
  freeBytes: z.int().nullable().describe('Free space on the disk of the data folder.'),
})

/** What runs here; for admins, since it tells who is looking for holes which ones to try. */
export function instanceRoutes({
  version,
  storage: { file },
  startedAt,
}: {
  readonly version: string
  readonly storage: Pick<Storage, 'file'>
  readonly startedAt: Date
}): readonly Route[] {
  function read(): z.output<typeof instanceSchema> {
    const bytes = file === undefined ? undefined : databaseBytes(file)
    return {
      version,
      nodeVersion: process.versions.node,
      startedAt: startedAt.toISOString(),
      memoryBytes: process.memoryUsage.rss(),
      databaseBytes: bytes?.file ?? null,
      logBytes: bytes?.log ?? null,
      freeBytes: file === undefined ? null : freeBytes(dirname(file)),
    }
  }
  return [
    route({
      method: 'GET',
      path: '/admin/instance',
      name: 'instance.show',
      group: 'Admin',
      summary: 'Show the version, start time, memory and disk usage of this instance',
      scope: 'admin',
      answer: z.strictObject({ data: instanceSchema }),
      status: 200,
      handle: () => ({ body: { data: read() } }),
    }),
  ]
}

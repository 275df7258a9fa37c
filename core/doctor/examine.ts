import { dirname } from 'node:path'
import type { TrustedProxies } from '../http/request/client-address.ts'
import type { Database } from '../storage/database.ts'
import type { Places } from '../visits/facts/open-places.ts'
import { databaseBytes, examineBackups, examineDatabase } from './examine-database.ts'
import { examineClock, examineDisk, examinePermissions } from './examine-folder.ts'
import { examinePlaces } from './examine-places.ts'
import { type CameIn, examineProxies } from './examine-proxies.ts'
import { examineServer } from './examine-server.ts'
import type { Finding } from './finding.ts'

/** What an instance is looked at by, from within and from the command line. */
export interface Patient {
  /** The database; undefined: it lives in memory or on a server. */
  readonly file: string | undefined
  /** The same where it is on a server. */
  readonly onServer?: Database | undefined
  readonly places: Places
  readonly backupsKept: number
  readonly now: Date
  /** Says whether all pages of the database are whole; absent: nobody looks. */
  readonly isWhole?: (file: string) => string
  /** Known where a request asks. */
  readonly request?: {
    readonly cameIn: CameIn
    readonly trustedProxies: TrustedProxies
    readonly baseUrl: string
  }
}

/** Look at all that goes wrong around a program that is well itself. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const { file, onServer, places, backupsKept, now, isWhole, request } = patient
  return [
    ...(file === undefined
      ? []
      : [
          examineDatabase(file, isWhole),
          await examineBackups(file, backupsKept, now),
          examineDisk(dirname(file), databaseBytes(file).file),
          examinePermissions(dirname(file)),
          examineClock(dirname(file), now),
        ]),
    ...(onServer ? await examineServer(onServer, now) : []),
    examinePlaces(places, now),
    ...(request ? [examineProxies(request.cameIn, request.trustedProxies, request.baseUrl)] : []),
  ]
}

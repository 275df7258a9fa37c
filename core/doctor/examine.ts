import { dirname } from 'node:path'
import type { TrustedProxies } from '../http/request/client-address.ts'
import type { Database } from '../storage/database.ts'
import { databaseBytes } from '../storage/files/disk-space.ts'
import type { Places } from '../visits/facts/open-places.ts'
import { examineBackups, examineDatabase } from './examine-database.ts'
import { examineClock, examineDisk, examinePermissions } from './examine-folder.ts'
import { damagesIn, examinePlaces, type ReadWhole } from './examine-places.ts'
import { type CameIn, examineProxies } from './examine-proxies.ts'
import { examineClosedLinks, examineServer } from './examine-server.ts'
import type { Finding } from './finding.ts'

/** What the checks need to know of an instance, in the server and on the command line. */
export interface Patient {
  /** The file of the database; undefined if it is in memory or on a server. */
  readonly file: string | undefined
  /** The database, if it is on a server. */
  readonly onServer?: Database | undefined
  /** The plugins that run here, by feature. */
  readonly features: readonly string[]
  readonly places: Places
  readonly backupsKept: number
  readonly now: Date
  /** Says whether all pages of the database are intact; without it, they are not checked. */
  readonly isWhole?: (file: string) => string
  /** Reads a whole location file; without it, only their ends are read. */
  readonly readPlaces?: ReadWhole
  /** How a request came in; known only when the checks were asked for over HTTP. */
  readonly request?: {
    readonly cameIn: CameIn
    readonly trustedProxies: TrustedProxies
    readonly baseUrl: string
    readonly dashboardUrl: string
  }
}

/**
 * Checks what can go wrong around a healthy program: database, backups, disk, permissions, clock, location data,
 * proxies.
 */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const { file, onServer, features, places, backupsKept, now, isWhole, readPlaces, request } =
    patient
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
    ...(onServer
      ? [...(await examineServer(onServer, now)), ...(await examineClosedLinks(onServer, features))]
      : []),
    examinePlaces(places, now, readPlaces && (await damagesIn(places, readPlaces))),
    ...(request ? [examineProxies(request.cameIn, request.trustedProxies, request)] : []),
  ]
}

import { join } from 'node:path'
import type { PlaceSource } from '../visits/facts/place-files.ts'
import type { ServerSettings } from './settings-from-env.ts'

/** Where the files of places are: those of the operator, and newer ones in the data folder. */
export function placeSourceOf({
  geoipFiles,
  dataDir,
}: Pick<ServerSettings, 'geoipFiles' | 'dataDir'>): PlaceSource {
  return { own: geoipFiles ?? [], folder: join(dataDir, 'places') }
}

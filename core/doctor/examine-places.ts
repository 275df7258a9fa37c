import {
  factNames,
  type PlaceFile,
  type Places,
  placesRemedy,
} from '../visits/facts/open-places.ts'
import { bundledFor } from '../visits/facts/place-files.ts'
import { type Finding, fine, warning } from './finding.ts'

const dayMs = 86_400_000

/** Networks move: data of this age gets about one address in twenty wrong. */
const oldDays = 90
/** A release of Linnet may come with data that is some months old, so below this age there is nothing to do. */
const tooOldDays = 365

/** Notes on the files that tell where visitors are, even if nothing is broken. */
export function notesOnPlaces({ files, missing }: Places, now: Date): readonly string[] {
  const old = files().filter(file => ageInDays(file, now) > oldDays)
  return [
    ...missing().map(
      fact => `${factNames[fact]} of visitors are unknown: no location data is installed for them.`,
    ),
    ...[...new Set(old.map(file => saysAge(file, now)))],
  ]
}

/** Reads a whole file; rejects with what is damaged. */
export type ReadWhole = (path: string) => Promise<unknown>

/** Checks whether visitors can be located, and how old the data for it is. `damages` is what was found in the files. */
export function examinePlaces(places: Places, now: Date, damages: readonly string[] = []): Finding {
  const troubles = [...places.troublesInFull(), ...damages]
  const ages = [...new Set(places.files().map(file => saysAge(file, now)))]
  const notes = notesOnPlaces(places, now)
  if (troubles.length > 0) {
    return warning('geoip', [...troubles, ...ages].join(' '), placesRemedy)
  }
  if (places.files().some(file => ageInDays(file, now) > tooOldDays)) {
    return warning(
      'geoip',
      [...new Set([...notes, ...ages])].join(' '),
      'Update the location data: see “Countries and cities” in docs/configuration.md.',
    )
  }
  const says = [...new Set([...notes, ...ages])]
  return fine(
    'geoip',
    says.length > 0 ? says.join(' ') : 'No running plugin needs the location of visitors.',
  )
}

/** Reads each file in use that did not come with Linnet, which takes seconds. Returns what is damaged, as sentences. */
export async function damagesIn(
  { files }: Places,
  readWhole: ReadWhole,
): Promise<readonly string[]> {
  const damages: string[] = []
  const others = files().filter(({ fact, path }) => !bundledFor(fact).includes(path))
  for (const path of new Set(others.map(file => file.path))) {
    await readWhole(path).catch(error => {
      damages.push(`${path} is damaged: ${(error as Error).message}.`)
    })
  }
  return damages
}

function ageInDays({ builtAt }: PlaceFile, now: Date): number {
  return builtAt === undefined ? 0 : Math.floor((now.getTime() - builtAt.getTime()) / dayMs)
}

function saysAge(file: PlaceFile, now: Date): string {
  const day = file.builtAt?.toISOString().slice(0, 10) ?? 'an unknown date'
  return `${factNames[file.fact]} of visitors come from data of ${day}, ${ageInDays(file, now)} days ago.`
}

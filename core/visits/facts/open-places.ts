import type { Log, PlaceFact } from '../../plugin.ts'
import { type Metadata, readMetadata, stampOf } from './mmdb-file.ts'
import { type PlaceOf, placesIn, placeUnknown } from './place.ts'
import { type Attribution, attributionOf, bundledAttribution } from './place-attribution.ts'
import { type FilesFor, filesFor, type PlaceSource, placeFiles } from './place-files.ts'

/** What is known of where visitors are. */
export interface Places {
  readonly of: PlaceOf
  /** What is not known at present, as sentences for anyone; the log says more. */
  troubles(): readonly string[]
  /** The same for admins, with the files and what is wrong with them. */
  troublesInFull(): readonly string[]
  /** The files that are asked. */
  files(): readonly PlaceFile[]
  /** Facts that plugins read and that no file tells, because none is installed. */
  readonly missing: () => readonly PlaceFact[]
  /** Who must be named where a fact shows. */
  attribution(fact: PlaceFact): Attribution | undefined
}

/** A file that tells a fact. */
export interface PlaceFile {
  readonly fact: PlaceFact
  readonly path: string
  /** When its data was put together; undefined: it does not say. */
  readonly builtAt: Date | undefined
}

/** While no plugin reads places: nothing is opened and nothing is missing. */
export const noPlaces: Places = {
  of: placeUnknown,
  troubles: () => [],
  troublesInFull: () => [],
  files: () => [],
  missing: () => [],
  attribution: () => undefined,
}

/** What is told of a fact, as in `Cities of visitors`. */
export const factNames: Readonly<Record<PlaceFact, string>> = {
  place: 'Countries',
  city: 'Cities',
}

/**
 * Look into an operator's own MMDB files, or else into newer ones than come with Linnet, or into these, from the
 * first visit whose place is asked for: until then it takes no memory. Without a file visitors are just nowhere.
 */
export function openPlaces(
  log: Log,
  reads: ReadonlySet<PlaceFact>,
  source: PlaceSource = {},
): Places {
  const facts = [...reads].map(fact => ({ fact, ...filesFor(fact, source) }))
  const looks = new Map<string, Look>()
  const look = (path: string) => {
    const known = looks.get(path) ?? lookInto(path)
    looks.set(path, known)
    return known()
  }
  const isThere = ({ newer }: FilesFor) => newer !== undefined && look(newer).metadata !== undefined
  const watches = facts.flatMap(({ fact, paths }) =>
    paths.map(path => watchFile(path, factNames[fact], () => look(path), log)),
  )
  const found = () => watches.flatMap(troubleOf => troubleOf() ?? [])
  const missing = () =>
    facts.filter(it => it.paths.length === 0 && !isThere(it)).map(({ fact }) => fact)
  // The log says at once what is missing at the start, and what is missing later when health is asked.
  found()
  for (const fact of missing()) {
    log.info(`${factNames[fact]} of visitors are unknown: no location data is installed for them`)
  }
  return {
    of: placesIn(placeFiles(reads, source)),
    troubles: () => [...new Set(found().map(({ text }) => text))],
    troublesInFull: () => found().map(({ inFull }) => inFull),
    missing,
    files: () =>
      facts.flatMap(files =>
        (isThere(files) ? [files.newer ?? ''] : files.paths).flatMap(path => {
          const { metadata } = look(path)
          return metadata ? { fact: files.fact, path, builtAt: builtAt(metadata) } : []
        }),
      ),
    attribution(asked) {
      const files = facts.find(({ fact }) => fact === asked)
      if (!files) return undefined
      const path = isThere(files) ? files.newer : files.areOwn ? files.paths[0] : undefined
      if (path === undefined) return bundledAttribution[asked]
      // What cannot be read shows nothing that somebody would have to be named for.
      return attributionOf(look(path).metadata?.databaseType ?? '')
    },
  }
}

/** A file as it is on the disk now: what it says of itself, or why it cannot be read. */
type Look = () => { readonly metadata?: Metadata; readonly reason?: string }

/** Looks into a file only when it changed. */
function lookInto(path: string): Look {
  let stamp: string | undefined
  let known: ReturnType<Look> | undefined
  return () => {
    const now = stampOf(path)
    if (known === undefined || stamp !== now) known = read(path)
    stamp = now
    return known
  }
}

function read(path: string): ReturnType<Look> {
  try {
    return { metadata: readMetadata(path) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function builtAt({ buildEpoch }: Metadata): Date | undefined {
  return Number.isNaN(buildEpoch.getTime()) ? undefined : buildEpoch
}

/** What to do about files that cannot be read. */
export const placesRemedy =
  'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.'

/** What a file leaves unknown, for anyone, and with its path for admins. */
interface Trouble {
  readonly text: string
  readonly inFull: string
}

/** Says what a file leaves unknown while it cannot be read. */
function watchFile(path: string, facts: string, look: Look, log: Log): () => Trouble | undefined {
  let told: ReturnType<Look> | undefined
  let trouble: Trouble | undefined
  let wasReadable = false

  return () => {
    const found = look()
    if (found === told) return trouble
    told = found
    const { reason } = found
    const what = wasReadable
      ? 'come from old data, because the file is missing or damaged now'
      : 'are unknown'
    wasReadable ||= reason === undefined
    if (reason === undefined) {
      trouble = undefined
      return undefined
    }
    log.warn(`${facts} of visitors ${what}: ${path} cannot be read: ${reason}. ${placesRemedy}`)
    trouble = {
      text: `${facts} of visitors ${what}; the log says why.`,
      inFull: `${facts} of visitors ${what}: ${path} cannot be read: ${reason}.`,
    }
    return trouble
  }
}

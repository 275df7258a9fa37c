import { messageForPeople } from '../../lib/message-for-people.ts'
import type { Log, PlaceFact } from '../../plugin.ts'
import { builtAt, type Metadata, readMetadata, stampOf } from './mmdb-file.ts'
import { type PlaceOfFiles, placesIn } from './place.ts'
import { type Attribution, attributionOf, bundledAttribution } from './place-attribution.ts'
import { type FilesFor, filesFor, type PlaceSource, placeFiles } from './place-files.ts'

/** What is known about the locations of visitors. */
export interface Places {
  readonly of: PlaceOfFiles
  /** What is not known at present, as sentences for everybody; the log says more. */
  troubles(): readonly string[]
  /** The same for admins, with the files and their errors. */
  troublesInFull(): readonly string[]
  /** The files in use. */
  files(): readonly PlaceFile[]
  /** Facts that plugins read and that no installed file contains. */
  readonly missing: () => readonly PlaceFact[]
  /** Who must be credited where a fact is shown. */
  attribution(fact: PlaceFact): Attribution | undefined
}

/** A file that contains a fact. */
export interface PlaceFile {
  readonly fact: PlaceFact
  readonly path: string
  /** When its data was built; undefined if it does not say. */
  readonly builtAt: Date | undefined
}

/** The names of facts in sentences, as in `Cities of visitors`. */
export const factNames: Readonly<Record<PlaceFact, string>> = {
  place: 'Countries',
  city: 'Cities',
}

/**
 * Opens the operator's own MMDB files, or else newer ones than come with Linnet, or else these. A file is read at the
 * first visit whose place is asked for, and takes no memory before. Without files, the locations of visitors are
 * unknown.
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
  // Log what cannot be read at startup; what breaks later is logged when health is checked.
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
      // An unreadable file shows nothing that somebody would have to be credited for.
      return attributionOf(look(path).metadata?.databaseType ?? '')
    },
  }
}

/** The current state of a file: its metadata, or why it cannot be read. */
type Look = () => { readonly metadata?: Metadata; readonly reason?: string }

/** Reads a file only if it has changed. */
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
    return { reason: messageForPeople(error) }
  }
}

/** What to do about files that cannot be read. */
export const placesRemedy =
  'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.'

/** What is unknown because of a file, for everybody, and with the path for admins. */
interface Trouble {
  readonly text: string
  readonly inFull: string
}

/** Reports what is unknown while a file cannot be read. */
function watchFile(path: string, facts: string, look: Look, log: Log): () => Trouble | undefined {
  let lastFound: ReturnType<Look> | undefined
  let trouble: Trouble | undefined
  let wasReadable = false

  return () => {
    const found = look()
    if (found === lastFound) return trouble
    lastFound = found
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

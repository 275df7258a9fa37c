import type { CodeRules, Context, Fields, Json, PastCounts } from '../../../core/plugin.ts'

/**
 * A program from which links come. It reads, and writes nothing: what becomes of what it yields is the importer's.
 *
 * @example
 * export const chhoto: Source = { name: 'chhoto', label: 'Chhoto URL', about: '…', settings: {}, file: {…}, read }
 */
export interface Source {
  /** As on the command line and in the API: small letters, digits and hyphens, such as `shlink`. */
  readonly name: string
  /** What the program is called. */
  readonly label: string
  /** One sentence that says what it reads, and where people get that. */
  readonly about: string
  /** What people say of the server or the file, declared like settings of a plugin. Checked before `read`. */
  readonly settings: Fields
  /** Which files it reads. Without it, it reads a server. */
  readonly file?: {
    /** Endings of names that a dialog offers, such as `.sql`. Compressed files have `.gz` behind these. */
    readonly endings: readonly string[]
    /** It can do without, and reads a server, if these settings are said. */
    readonly orSettings?: readonly string[]
    /** Why this server reads no file now: a sentence for people, who hear it before they send one. */
    readonly refusal?: string
  }
  /**
   * Yields all there is: hosts, tags and campaigns before the links that have them, a link before its counts. Read again, it yields the
   * same ids and parts, so that an import that was killed goes on. Throws `SourceError` if it cannot go on at all.
   */
  read(asked: Asked): AsyncIterable<Item>
}

export interface Asked {
  /** What people said, as `settings` declares it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** There if the source reads files, and was given one. Compressed files are read as what is in them. */
  readonly file?: SourceFile | undefined
  /** A folder of this reading, for a database in between. It is deleted after it, with all that is in it. */
  readonly folder: string
  /** Requests of other servers, with the bounds that they have for all plugins. */
  readonly fetch: Context['fetch']
  /** Aborted when the import is stopped. */
  readonly signal: AbortSignal
  now(): Date
}

export interface SourceFile {
  /** As the person's computer called it. */
  readonly name: string
  /** Where it lies on this server, for databases. */
  readonly path: string
  readonly bytes: number
  /** Its bytes from the start, some at a time, without compression. May be called again. */
  read(): AsyncIterable<Uint8Array>
  /** Hears how far it was read elsewhere, in bytes of the file as it lies there. */
  noteRead(bytes: number): void
}

/** What a source yields. `row` says where people find it, such as `line 12` or `id 7`. */
export type Item = Host | Tag | Campaign | LinkItem | Counts | Key | Refused | Note

/** A host on which links of the source are, as it stands there, be it a name or not. Null is the one that it calls its default. */
export interface Host {
  readonly kind: 'host'
  readonly row: string
  readonly host: string | null
  readonly rootUrl?: string | null
  readonly notFoundUrl?: string | null
  /** Whether codes in other letters lead to its links too. */
  readonly anyCase?: boolean
  /** Which short codes it has, where the source knows it as exactly as this. */
  readonly rules?: CodeRules
}

export interface Tag {
  readonly kind: 'tag'
  readonly row: string
  readonly name: string
  /** As `#rrggbb`. */
  readonly color?: string | null
  readonly owner?: string | null
}

/** A group of links, of which each is in one at most. */
export interface Campaign {
  readonly kind: 'campaign'
  readonly row: string
  readonly name: string
  /** As `#rrggbb`. */
  readonly color?: string | null
  readonly description?: string | null
  readonly startsAt?: Date | null
  readonly endsAt?: Date | null
  readonly owner?: string | null
}

export interface LinkItem {
  readonly kind: 'link'
  readonly row: string
  /** What the source calls it, and nothing else there. At most 200 characters. */
  readonly id: string
  /** Null: the default host of the source. */
  readonly host: string | null
  /** Null: it gets a new one. */
  readonly code: string | null
  /** Other codes that lead to it. */
  readonly formerCodes?: readonly string[]
  /** The body of `POST /links`, in the names of Linnet, without the short code, the host and tags. */
  readonly fields: Readonly<Record<string, Json>> & { readonly originalUrl: string }
  /** Names of tags. */
  readonly tags?: readonly string[]
  /** The name of its campaign. */
  readonly campaign?: string | null
  /** A password, in plain text or as its hash there: `$2b$…` of bcrypt, or a form that `core/lib/passwords.ts` names. */
  readonly password?: { readonly text: string } | { readonly hash: string }
  /** The e-mail address of whoever has it there. */
  readonly owner?: string | null
  readonly createdAt?: Date
  readonly updatedAt?: Date
  /** An archived link leads on. */
  readonly isArchived?: boolean
  /** It leads nobody on: it did not there, or only with a password that does not come. Here it has ended. */
  readonly isClosed?: boolean
  /** All visits that the source knows of, without robots; its counts may have fewer. */
  readonly visits?: number
  /** How many of them no counts will have, where that is known already. */
  readonly undated?: number
  readonly lastVisitAt?: Date
  /** What could not come as it was, each as a sentence for people. */
  readonly changes?: readonly string[]
}

/** Visits of a link by day or hour. */
export interface Counts {
  readonly kind: 'counts'
  readonly row: string
  /** The `id` of the link. */
  readonly link: string
  /** Each part of a link's visits is added once, however often it is read. At most 100 characters. */
  readonly part: string
  readonly counts: readonly PastCounts[]
}

/** A key with which programs call the API of the source, as the hex digits of its SHA-256. */
export interface Key {
  readonly kind: 'key'
  readonly row: string
  readonly name: string
  readonly sha256: string
  /** Left out for a key of the whole source. Null: of somebody without an e-mail address. */
  readonly owner?: string | null
  /** Whether it may only read. */
  readonly readsOnly?: boolean
  /** Whether programs ask with it whose it is. */
  readonly tellsOwner?: boolean
  readonly expiresAt?: Date | null
}

/** A link, or another row, that the source has and cannot yield, with the reason as a sentence for people. */
export interface Refused {
  readonly kind: 'refused'
  readonly row: string
  readonly reason: string
}

/** What people should know that is about no link: of a host, a key, or the whole file. */
export interface Note {
  readonly kind: 'note'
  readonly row: string
  readonly sentence: string
}

/** Why a source cannot be read on: a sentence for people, which says where, and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

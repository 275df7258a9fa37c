/** A short URL that leads to an address for everybody alike. */
export interface PlainUrl {
  readonly host: string
  /** As people read it, with the slash at its beginning. */
  readonly path: string
  readonly url: string
  readonly status: number
}

/** The short URLs of one host that are in one file of lines. */
export interface Part {
  readonly host: string
  readonly status: number
  /** The name of a file in the folder, in which these lines are. */
  readonly lines: string
}

/** A file of a bundle: text, and the lines of parts in between. */
export interface BundleFile {
  readonly name: string
  readonly pieces: readonly (string | Part)[]
}

/** How a server is told of redirects. */
export interface Format {
  /** What stands between two lines. */
  readonly separator: string
  /** Whether short URLs with another status are in another part. */
  readonly isByStatus?: true
  /** What a server reads of one short URL; or why it cannot be told of it, as the end of a sentence. */
  line(of: PlainUrl): string | { readonly problem: string }
  files(parts: readonly Part[]): readonly BundleFile[]
  /** How to use the files, in Markdown. */
  readonly readme: string
}

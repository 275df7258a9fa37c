/**
 * Files that a plugin serves to browsers as they are, below a path of its own.
 *
 * @example
 * site: { path: 'moods', label: 'Moods', folder: new URL('./moods/', import.meta.url) }
 */
export interface Site {
  /** The first segment of their path, in small letters: `dashboard` is `/dashboard/…`. */
  readonly path: string
  /** What the dashboard's menu calls it; absent: it is not there. */
  readonly label?: string
  /**
   * The folder they are in, from `import.meta.url`. Its `index.html` answers every path below that names
   * no file; what is in `assets/` never changes under its name and is kept by browsers for good. A file
   * that lies there as `.br` or `.gz` too is sent so to who takes it.
   */
  readonly folder: URL
  /** Whoever opens the bare address of the instance is sent here; the first that says so has it. */
  readonly home?: true
}

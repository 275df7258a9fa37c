import type { Visit } from './visit.ts'

/**
 * A dimension of analytics: each visit counts for one value, or for none.
 *
 * @example
 * dimensions: { visitsByShop: { label: 'Shop', of: ({ query }) => query.get('shop') ?? undefined } }
 */
export interface Dimension<D = unknown> {
  readonly label: string
  readonly chart?: 'bar' | 'map' | 'line' | 'table' | 'number'
  /** True if the value tells nothing about the visitor. It then also counts visitors that send `Sec-GPC` or `DNT`. */
  readonly total?: true
  /** True: it counts robots only. Without it, robots are not counted. */
  readonly bots?: true
  /**
   * True: it counts how many different values each UTC day has, not how often each occurs. The values are not kept in a
   * form that could be read again, so they may identify a visitor. Only for the chart `number`.
   */
  readonly distinct?: true
  /**
   * The value that a visit counts for, or undefined. Cut to 128 characters, unless `distinct`. Must not await. `data` is
   * what `unstable.data.open` returned.
   */
  of(visit: Visit, data: D): string | undefined
  /** The label of a value. Default: the value itself. */
  labelOf?(value: string): string
  /** The label of visits without a value, such as `No rule`. Default: `Unknown`. */
  readonly none?: string
  /** What may change with any version of Linnet. */
  readonly unstable?: UnstableDimension<D>
}

/**
 * Parts of a dimension that one or two plugins have tried so far. They may change with any version of Linnet.
 *
 * @example
 * unstable: { data: { file: 'networks.csv', open: readNetworks } },
 */
export interface UnstableDimension<D = unknown> {
  /** A file that it looks visits up in. Several dimensions with the same object share what was opened. */
  readonly data?: DimensionData<D>
}

/**
 * A file that dimensions read, in the thread that counts.
 *
 * @example
 * const networks = { file: new URL('./networks.csv', import.meta.url), open: content => readNetworks(content) }
 */
export interface DimensionData<D = unknown> {
  /** A file that comes with the plugin, relative to `import.meta.url`; or the name of one of `context.unstable.files`. */
  readonly file: URL | string
  /**
   * Called when it is needed first, and again within seconds after the file was replaced. Must not await. If it fails, or there is no
   * file, visits have no value in its dimensions until the file is replaced.
   */
  open(content: Uint8Array): D
}

/**
 * Make a dimension, with the type of its data taken from `open`.
 *
 * @example
 * dimension({
 *   label: 'Network',
 *   unstable: { data: { file: 'networks.csv', open: readNetworks } },
 *   of: ({ ip }, networks) => networks.nameOf(ip),
 * })
 */
export function dimension<D>(it: Dimension<D>): Dimension {
  return it
}

import type { Visit } from './visit.ts'

/**
 * A dimension of analytics: each visit counts for one value, or for none.
 *
 * @example
 * dimensions: { visitsByShop: { label: 'Shop', of: ({ query }) => query.get('shop') ?? undefined } }
 */
export interface Dimension {
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
  /** The value that a visit counts for, or undefined. Cut to 128 characters, unless `distinct`. Must not await. */
  of(visit: Visit): string | undefined
  /** The label of a value. Default: the value itself. */
  labelOf?(value: string): string
  /** The label of visits without a value, such as `No rule`. Default: `Unknown`. */
  readonly none?: string
}

import type { Hours } from './buckets.ts'

/**
 * Sixteen days: measured, a year takes least with it. Shorter ones are more rows, and of longer ones more
 * hours lie at the ends of a span, outside of whole blocks.
 */
export const hoursABlock = 16 * 24

/** The block of 16 days of UTC, since 1970, that an hour is in. */
export function blockOf(hour: number): number {
  return Math.floor(hour / hoursABlock)
}

/** A span as whole blocks and the hours before and after them. */
export interface Parted {
  readonly blocks: Hours
  readonly before: Hours
  readonly after: Hours
}

/** Undefined for a span that has no whole block. */
export function partByBlocks({ first, end }: Hours): Parted | undefined {
  const blocks = { first: Math.ceil(first / hoursABlock), end: blockOf(end) }
  if (blocks.end <= blocks.first) return undefined
  return {
    blocks,
    before: { first, end: blocks.first * hoursABlock },
    after: { first: blocks.end * hoursABlock, end },
  }
}

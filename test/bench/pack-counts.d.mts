/** Dimension, value and count in turn, in ascending order. */
export function packCounts(counts: readonly number[]): Buffer

/** Dimension, value and count in turn, in ascending order. */
export function packCounts(bucket: number, counts: readonly number[]): Buffer

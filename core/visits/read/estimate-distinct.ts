import { maxRank, mergeInto, registers } from '../tables/sketch.ts'

/**
 * Estimates how many different values left these sketches, all together: the "improved raw estimator" of Ertl, "New
 * cardinality estimation algorithms for HyperLogLog sketches" (2017, arXiv:1702.01284, algorithm 6). It needs neither
 * the correction for small numbers of Flajolet et al. (2007) nor the tables of Heule, Nunkesser and Hall (2013),
 * because it accounts for empty and full registers with separate sums.
 */
export function estimateDistinct(sketches: Iterable<Uint8Array>): number {
  const counts = countRanks(sketches)
  const share = (rank: number) => (counts[rank] ?? 0) / registers
  let sum = registers * fullTerm(1 - share(maxRank))
  for (let rank = maxRank - 1; rank >= 1; rank -= 1) sum = (sum + (counts[rank] ?? 0)) / 2
  sum += registers * emptyTerm(share(0))
  return registers ** 2 / (2 * Math.LN2 * sum)
}

/** How many registers have each rank; rank 0 means no mark. */
function countRanks(sketches: Iterable<Uint8Array>): readonly number[] {
  const ranks = new Uint8Array(registers)
  for (const sketch of sketches) mergeInto(ranks, sketch)
  const counts = new Array<number>(maxRank + 1).fill(0)
  for (const rank of ranks) counts[rank] = (counts[rank] ?? 0) + 1
  return counts
}

/** σ of the paper, for the share of empty registers; infinite if all are empty. */
function emptyTerm(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let [power, weight, sum] = [share, 1, share]
  for (let before = -1; sum !== before; weight *= 2) {
    before = sum
    power *= power
    sum += power * weight
  }
  return sum
}

/** τ of the paper, for the share of registers that are not full. */
function fullTerm(share: number): number {
  if (share === 0 || share === 1) return 0
  let [root, weight, sum] = [share, 1, 1 - share]
  for (let before = -1; sum !== before; ) {
    before = sum
    root = Math.sqrt(root)
    weight /= 2
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}

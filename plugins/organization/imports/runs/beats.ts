/** After how long an import of which nothing is heard counts as left behind, in milliseconds. */
const leftMs = 30_000

/** How far the clocks of servers may be apart, in milliseconds. What is further ahead was noted by a clock that was wrong. */
const apartMs = 5 * 60_000

/** When whoever works at an import was heard of last, if somebody does. */
export function beatsOfRunners(
  now: Date,
  longestMs = leftMs,
): { readonly from: number; readonly to: number } {
  const at = now.getTime()
  return { from: at - longestMs, to: at + apartMs }
}

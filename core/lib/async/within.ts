/** What `work` resolves to, or `late` if it takes longer than `ms` milliseconds. */
export async function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const lateness = Promise.withResolvers<L>()
  const timer = setTimeout(lateness.resolve, ms, late)
  try {
    return await Promise.race([work, lateness.promise])
  } finally {
    clearTimeout(timer)
  }
}

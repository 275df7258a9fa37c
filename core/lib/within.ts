/** What `work` gives, or `late` when it has not given anything after `ms` milliseconds. */
export async function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const lateness = new Promise<L>(resolve => {
    timer = setTimeout(resolve, ms, late)
  })
  try {
    return await Promise.race([work, lateness])
  } finally {
    clearTimeout(timer)
  }
}

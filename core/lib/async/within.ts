/** What `work` resolves to, or `late` if it takes longer than `ms` milliseconds. */
export function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  // Several times per request, so without the promises that `race` and `finally` would make.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late)
    work.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

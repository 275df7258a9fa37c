/** Whether a value has to be awaited: a promise, or what some libraries return in its place. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && isFunction(value.then)
}

/** Nobody waits for this value. If it is a promise that rejects, that must not count as an error that nobody caught. */
export function abandon(value: unknown): void {
  if (isThenable(value)) Promise.resolve(value).catch(() => undefined)
}

function isFunction(it: unknown): boolean {
  return typeof it === 'function'
}

/** A value now or later: every hook may be plain or async. */
export type Later<T> = T | Promise<T>

const dayMs = 86_400_000

/** Environment of a server whose clock is so many days behind: for visits that were long ago. */
export function daysAgo(days: number): Readonly<Record<string, string>> {
  return startedAt(new Date(Date.now() - days * dayMs))
}

/** Environment of a server that believes it is started at a moment, and goes on from there. */
export function startedAt(moment: Date): Readonly<Record<string, string>> {
  const aheadMs = moment.getTime() - Date.now()
  const code = `globalThis.Date = class extends Date {
    constructor(...given) { given.length ? super(...given) : super(Date.now()) }
    static now() { return super.now() + ${aheadMs} }
  }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

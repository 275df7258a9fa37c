const dayMs = 86_400_000

/** The environment of a server whose clock is this many days behind, for old visits. */
export function daysAgo(days: number): Readonly<Record<string, string>> {
  return startedAt(new Date(Date.now() - days * dayMs))
}

/** The environment of a server whose clock starts at this moment. */
export function startedAt(moment: Date): Readonly<Record<string, string>> {
  const aheadMs = moment.getTime() - Date.now()
  const code = `globalThis.Date = class extends Date {
    constructor(...given) { given.length ? super(...given) : super(Date.now()) }
    static now() { return super.now() + ${aheadMs} }
  }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

/**
 * Dialogs and notifications lie above every page. Their code is loaded after the first page, or earlier if one
 * has to be shown (`shell/above-page.tsx`).
 */
let isAsked = false
let arrive: () => void
const arrived = new Promise<void>(resolve => {
  arrive = resolve
})
const watchers = new Set<() => void>()

/** Ask for their code to be loaded. */
export function askForAbove(): void {
  isAsked = true
  for (const watcher of watchers) watcher()
}

export const isAboveAsked = (): boolean => isAsked

export function watchAbove(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The code is loaded: show what has been waiting for it. */
export function aboveIsThere(): void {
  arrive()
}

/** Load code that may be needed later. If that fails, it is loaded again when it is needed. */
export function loadAfterwards(load: () => Promise<unknown>): void {
  void arrived.then(load).catch(() => undefined)
}

/** Show something above the page as soon as possible. */
export function showAbove(show: () => void): void {
  askForAbove()
  void arrived.then(show)
}

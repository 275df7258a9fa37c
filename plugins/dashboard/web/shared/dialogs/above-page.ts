/**
 * Dialogs and notifications lie above every page. Their code is loaded once the first page is there, or sooner if one
 * is to be shown (`shell/above-page.tsx`).
 */
let isAsked = false
let arrive: () => void
const arrived = new Promise<void>(resolve => {
  arrive = resolve
})
const watchers = new Set<() => void>()

/** Have it loaded. */
export function askForAbove(): void {
  isAsked = true
  for (const watcher of watchers) watcher()
}

export const isAboveAsked = (): boolean => isAsked

export function watchAbove(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** It is there: what waited is shown. */
export function aboveIsThere(): void {
  arrive()
}

/** Load something that is wanted later, if at all; what cannot be loaded is asked for again when it is wanted. */
export function loadAfterwards(load: () => Promise<unknown>): void {
  void arrived.then(load).catch(() => undefined)
}

/** Show something above the page as soon as that can be. */
export function showAbove(show: () => void): void {
  askForAbove()
  void arrived.then(show)
}

/** The name of the modifier key for shortcuts on this system. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Browsers read what is saved after the click, some of them a good while after. */
const keptMs = 60_000

/** Have the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  const anchor = Object.assign(document.createElement('a'), { href, download: name })
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(href), keptMs)
}

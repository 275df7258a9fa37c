/** How long the file is kept for the browser, in milliseconds: some browsers read it well after the click. */
const keptMs = 60_000

/** Have the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  const anchor = Object.assign(document.createElement('a'), { href, download: name })
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(href), keptMs)
}

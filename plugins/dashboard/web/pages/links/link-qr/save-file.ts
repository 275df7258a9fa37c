/** Have the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  const anchor = Object.assign(document.createElement('a'), { href, download: name })
  anchor.click()
  URL.revokeObjectURL(href)
}

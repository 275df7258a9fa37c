/** The types that the API accepts. */
export const logoTypes = ['image/png', 'image/webp', 'image/svg+xml'] as const

const maxBytes = 64 * 1024

/** A file as a data URI; undefined if it is not of these types or is too large for a logo. */
export async function readLogo(file: File): Promise<string | undefined> {
  const isTaken = (logoTypes as readonly string[]).includes(file.type) && file.size <= maxBytes
  return isTaken ? dataUriOf(file) : undefined
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

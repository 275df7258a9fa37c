/** What the API takes. */
export const logoTypes = ['image/png', 'image/webp', 'image/svg+xml'] as const

const maxBytes = 64 * 1024

/** A file as a data URI; undefined when it is none of these, or too large to be a logo. */
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

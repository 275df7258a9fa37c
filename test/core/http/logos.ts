/** A PNG of one transparent pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** An image as the API takes it. */
export function dataUri(type: string, bytes: Buffer | string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

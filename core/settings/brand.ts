import { z } from 'zod'
import { line } from '../lib/schema/lines.ts'

/** The largest logo, in bytes. */
export const maxLogoBytes = 64 * 1024

/** An image from a data URI. */
export interface Logo {
  readonly type: LogoType
  readonly bytes: Buffer
}

export type LogoType = 'image/png' | 'image/webp' | 'image/svg+xml'

/** How the instance presents itself to visitors; null stands for the default. */
export const brandSchema = z.strictObject({
  name: line(60).nullable().describe('Shown on the pages that visitors see, and in their titles.'),
  color: z
    .string()
    .regex(/^#[\dA-Fa-f]{6}$/, 'Must be a colour such as #0a7cff.')
    .toLowerCase()
    .nullable()
    .describe(
      'Colour of buttons and illustrations; made darker or lighter where needed to stay visible.',
    ),
  logo: z
    .string()
    // The length as base64, and the text before it.
    .max(Math.ceil(maxLogoBytes / 3) * 4 + 32, `Must have at most ${maxLogoBytes} bytes.`)
    .refine(isLogo, 'Must be a data URI of a PNG, WebP or SVG, such as data:image/png;base64,….')
    .nullable()
    .describe('Shown instead of the name: a data URI of a PNG, WebP or SVG of up to 64 KiB.'),
})

/** A change of any part of the brand. */
export const brandPatch = brandSchema.partial()

export type Brand = Readonly<z.output<typeof brandSchema>>
export type BrandPatch = z.output<typeof brandPatch>

/** The whole brand from the parts that are set. */
export function brandOf({ name = null, color = null, logo = null }: BrandPatch = {}): Brand {
  return { name, color, logo }
}

/** The image in a data URI; undefined if its bytes are not of the type it names, or the type is not allowed. */
export function readLogo(dataUri: string): Logo | undefined {
  const [, type, base64] = /^data:([a-z/+]+);base64,([A-Za-z\d+/]+={0,2})$/.exec(dataUri) ?? []
  if (base64 === undefined || !isLogoType(type)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return begins[type](bytes) ? { type, bytes } : undefined
}

function isLogo(dataUri: string): boolean {
  return readLogo(dataUri) !== undefined
}

function isLogoType(type: string | undefined): type is LogoType {
  return type !== undefined && Object.hasOwn(begins, type)
}

/** How to recognise a file of each type: browsers believe the type that they are told, so the bytes must match it. */
const begins: Readonly<Record<LogoType, (bytes: Buffer) => boolean>> = {
  'image/png': bytes => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
  'image/webp': bytes => /^RIFF[\s\S]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
  'image/svg+xml': bytes => /^\uFEFF?\s*<[?!s][\s\S]*<\/svg>\s*$/.test(`${bytes}`),
}

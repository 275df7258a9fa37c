import { queryNumber, z } from '../../../core/plugin.ts'
import { contrastOf, readColor } from './color.ts'
import { eyeShapes, type Shapes, shapes } from './figure.ts'

/** The lowest contrast that cameras can read. */
const minContrast = 3

const color = z.string().regex(/^#(?:[\dA-Fa-f]{6}|[\dA-Fa-f]{8})$/, {
  error: 'Must be a colour, such as #1A2B3C, or #1A2B3CFF with opacity.',
})

/** The look of a code. */
export interface Look extends Shapes {
  readonly size: number
  readonly margin: number
  readonly level: 'L' | 'M' | 'Q' | 'H'
  readonly dark: string
  readonly light: string
  readonly logo: '0' | '1'
}

/** The default look. */
export const usualLook: Look = {
  size: 512,
  margin: 4,
  level: 'M',
  dark: '#000000',
  light: '#FFFFFF',
  shape: 'square',
  eyes: 'square',
  logo: '0',
}

/** The part of a look in the query of an image. The rest comes from the saved look. */
export const lookQuery = {
  size: queryNumber(64, 2_048).optional().meta({
    description:
      'Width and height in pixels, including the margin. Default: the saved size, or 512.',
  }),
  margin: queryNumber(0, 20).optional().meta({
    description:
      'Empty border, in modules; scanners need 4, the default, to read the code reliably.',
  }),
  level: z.enum(['L', 'M', 'Q', 'H']).optional().meta({
    description:
      'Error correction: about 7, 15, 25 or 30 per cent of the code may be damaged. Default: the saved one, or M.',
  }),
  dark: color.optional().meta({ description: 'Default: the saved one, or #000000.' }),
  light: color.optional().meta({
    description:
      'Colour of the background; transparent counts as white. Default: the saved one, or #FFFFFF.',
  }),
  shape: z.enum(shapes).optional().meta({
    description: 'Shape of the modules. Default: the saved one, or square.',
  }),
  eyes: z.enum(eyeShapes).optional().meta({
    description: 'Shape of the three marks in the corners. Default: the saved one, or square.',
  }),
  logo: z.enum(['0', '1']).optional().meta({
    description:
      'Put your logo, or else that of this instance, in the middle, and set the level to H.',
  }),
}

/** The same part in the body of a request that saves it. */
export const lookBody = z.strictObject({
  ...lookQuery,
  size: z.int().min(64).max(2_048).optional(),
  margin: z.int().min(0).max(20).optional(),
})

/** A part of a look. */
export type LookPart = { readonly [Key in keyof Look]?: Look[Key] | undefined }

/** Changes a part of a look. */
export function withPart(look: Look, part: LookPart): Look {
  const said = Object.entries(part).filter(([name, value]) => name in look && value !== undefined)
  return { ...look, ...Object.fromEntries(said) }
}

/** The color to blame if cameras cannot read the code: the one that is not the default. Undefined if they can. */
export function unreadable({ dark, light }: Look): 'dark' | 'light' | undefined {
  if (contrastOf(readColor(dark), readColor(light)) >= minContrast) return undefined
  return dark === usualLook.dark ? 'light' : 'dark'
}

import { line, z } from '../../core/plugin.ts'

/** The name of a tag or a campaign. */
export const nameSchema = line(100).meta({ examples: ['Spring'] })

/** The same two in answers. */
export const shownNameAndColor = {
  name: z.string().meta({ examples: ['Spring'] }),
  color: z.string().meta({ examples: ['#2F7D32'] }),
}

/** A part of a name, to filter a list by. */
export const searchSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'A part of the name, in any case.' })

/** A hexadecimal colour in upper or lower case, stored in upper case. */
export const colorSchema = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour, such as #2F9E44.')
  .toUpperCase()
  .meta({ description: 'Such as `#2F9E44`. If absent at creation, the next colour of a palette.' })

/** Colours that are easy to tell apart, and on which white text is legible. */
const palette = [
  '#1971C2',
  '#2F7D32',
  '#C2410C',
  '#7048E8',
  '#C2255C',
  '#0B7285',
  '#8A6100',
  '#9C36B5',
  '#C92A2A',
  '#495057',
] as const

/** Returns the colour of a new tag or campaign if none was chosen. The colours take turns; `count` exist already. */
export function nextColor(count: number): string {
  return palette[count % palette.length] ?? palette[0]
}

/** Returns the same text for names that differ only in case or in invisible characters. */
export function foldName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

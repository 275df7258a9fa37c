import { line, z } from '../../core/plugin.ts'

/** What people call a tag or a campaign. */
export const nameSchema = line(100)

/** A part of a name, to list by. */
export const searchSchema = z.string().trim().min(1).max(100).optional()

/** A colour as the web writes it, in any case; kept in capitals. */
export const colorSchema = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour, such as #2F9E44.')
  .toUpperCase()
  .meta({ description: 'Such as `#2F9E44`. If absent at creation, the next colour of a palette.' })

/** Apart from each other, and legible as a background of white text. */
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

/** The colour of something new when none was chosen: by turn, `count` being how many there are. */
export function nextColor(count: number): string {
  return palette[count % palette.length] ?? palette[0]
}

/** Names that differ only in case, or in what nobody sees, are one name. */
export function foldName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

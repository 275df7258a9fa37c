import { field, z } from '../../../../core/plugin.ts'
import { targets } from '../reading/column-names.ts'
import { zoneField } from '../reading/moments.ts'
import { readTableLinks } from '../reading/table-links.ts'
import type { Source } from '../source.ts'

const known = targets.join(', ')
const isMapping = (text: string) =>
  targets.some(target => text.startsWith(`${target}=`) && text.length > target.length + 1)
const mapping = z
  .string()
  .max(300)
  .refine(isMapping, `Must be one of these, an equals sign and the name of a column: ${known}.`)

const columns = z.array(mapping).max(targets.length).readonly()

export const csv: Source = {
  name: 'csv',
  label: 'CSV file',
  about:
    'Reads a table of links with commas, semicolons, tabs or bars, as spreadsheets and most shorteners export them.',
  settings: {
    columns: field<readonly string[]>(columns, {
      label: 'Columns',
      hint: 'Only those whose names do not tell it: what a column has, and its name or number, such as code=Back half or originalUrl=#2.',
      control: 'list',
      default: [],
    }),
    timeZone: zoneField('In which dates are that do not name one, such as Europe/Berlin.'),
  },
  file: { endings: ['.csv', '.tsv', '.txt'] },
  read: asked =>
    readTableLinks(asked, {
      columns: asked.settings.columns as readonly string[],
      zone: String(asked.settings.timeZone ?? 'UTC'),
    }),
}

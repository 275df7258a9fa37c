import { Table } from '@mantine/core'
import { apiTexts } from '../../../texts/api.ts'
import classes from './api-page.module.css'
import type { SchemaField } from './schema-fields.ts'

export interface FieldsTableProps {
  readonly label: string
  readonly fields: readonly SchemaField[]
}

/** The fields of a body, each with its type and description. */
export function FieldsTable({ label, fields }: FieldsTableProps) {
  const { name, type, about } = apiTexts.columns
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={classes.fields} aria-label={label} tabIndex={0}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            <Table.Th>{type}</Table.Th>
            <Table.Th>{about}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map(field => (
            <Table.Tr key={field.name}>
              <Table.Td className={classes.name}>{field.name}</Table.Td>
              <Table.Td className={classes.type}>
                {field.type}
                {field.isRequired && `, ${apiTexts.required}`}
              </Table.Td>
              <Table.Td className={classes.type}>{field.about.replaceAll('`', '')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

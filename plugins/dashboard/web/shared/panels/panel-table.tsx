import { Menu, VisuallyHidden } from '@mantine/core'
import type { Filling, Panel } from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { texts } from '../../texts.ts'
import { RowMenu } from '../lists/row-menu.tsx'
import { valuesIn } from '../shown/shown-value.ts'
import { type ButtonOfPanel, usePress } from './panel-button.tsx'
import { Values } from './panel-rows.tsx'
import classes from './panel-table.module.css'

export interface PanelTableProps {
  readonly table: NonNullable<Panel['table']>
  readonly entries: readonly object[]
  readonly title: string
  readonly fill: Filling
}

/** The entries of a list, each with its actions. On narrow screens each is a block of its own. */
export function PanelTable({ table: { columns, buttons }, entries, title, fill }: PanelTableProps) {
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          {columns.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
          {buttons.length > 0 && (
            <th scope="col">
              <VisuallyHidden>{texts.common.actions}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be the same
          <tr key={index}>
            {columns.map(column => (
              <td key={column.name} data-label={column.label}>
                <span>
                  <Values shown={column} data={entry} />
                </span>
              </td>
            ))}
            {buttons.length > 0 && (
              <td className={classes.actions}>
                <RowMenu label={panelTexts.actionsFor(nameOf(entry, columns))}>
                  {buttons.map(button => (
                    <Action key={button.label} button={button} fill={filling(entry, fill)} />
                  ))}
                </RowMenu>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Action({ button, fill }: { readonly button: ButtonOfPanel; readonly fill: Filling }) {
  const { press } = usePress(button, fill)
  return (
    <Menu.Item {...(button.method === 'DELETE' && { color: 'red' })} onClick={press}>
      {button.label}
    </Menu.Item>
  )
}

/** Parameters are members of the entry; others are as they are elsewhere in the panel. */
function filling(entry: object, fill: Filling): Filling {
  const known = new Map<string, unknown>(Object.entries(entry))
  return name => (known.has(name) ? String(known.get(name)) : fill(name))
}

function nameOf(entry: object, columns: PanelTableProps['table']['columns']): string {
  const [first] = columns.flatMap(column => valuesIn(entry, column))
  return String(first ?? '')
}

import { Menu, VisuallyHidden } from '@mantine/core'
import { addressOf, type Filling, isThere, type Panel } from '../../api/instance/panels.ts'
import { panelTexts } from '../../texts/panels.ts'
import { texts } from '../../texts.ts'
import { openDialog } from '../dialogs/open-dialog.ts'
import { EditItem, RowMenu } from '../lists/row-menu.tsx'
import { valuesIn } from '../shown/shown-value.ts'
import { type ButtonOfPanel, usePress } from './panel-button.tsx'
import { type Form, PanelForm } from './panel-form.tsx'
import { Values } from './panel-rows.tsx'
import classes from './panel-table.module.css'

export interface PanelTableProps {
  readonly table: NonNullable<Panel['table']>
  readonly entries: readonly object[]
  readonly title: string
  readonly fill: Filling
}

/** The entries of a list, each with its actions. On narrow screens each is a block of its own. */
export function PanelTable({ table, entries, title, fill }: PanelTableProps) {
  const { columns, buttons, edit } = table
  const hasActions = edit !== null || buttons.length > 0
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          {columns.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
          {hasActions && (
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
            {hasActions && (
              <td className={classes.actions}>
                <Actions table={table} entry={entry} fill={filling(entry, fill)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ActionsProps {
  readonly table: PanelTableProps['table']
  readonly entry: object
  readonly fill: Filling
}

/** What can be done with an entry as it is; nothing shows where that is nothing. */
function Actions({ table: { columns, buttons, edit }, entry, fill }: ActionsProps) {
  const isSo = ({ when }: Pick<Form, 'when'>) => isThere(when, { data: entry })
  const some = buttons.filter(isSo)
  const form = edit && isSo(edit) ? edit : null
  if (!form && some.length === 0) return null
  const name = nameOf(entry, columns)
  const open = form && (() => editEntry(name, form, entry, fill))
  return (
    <RowMenu label={panelTexts.actionsFor(name)}>
      <EditItem onClick={open ?? undefined} />
      {some.map(button => (
        <Action key={button.label} button={button} fill={fill} />
      ))}
    </RowMenu>
  )
}

function editEntry(name: string, form: Form, entry: object, fill: Filling): void {
  openDialog(panelTexts.edit(name), close => (
    <PanelForm form={form} data={entry} etag={undefined} fill={fill} onDone={close} />
  ))
}

function Action({ button, fill }: { readonly button: ButtonOfPanel; readonly fill: Filling }) {
  const { press } = usePress(button, fill)
  if (button.method === 'GET') {
    return (
      <Menu.Item component="a" href={addressOf(button, fill)} download>
        {button.label}
      </Menu.Item>
    )
  }
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

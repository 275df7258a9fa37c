import type { Dashboard } from '../../plugin/dashboard/dashboard.ts'
import type { Panel, PanelButton, PanelForm } from '../../plugin/dashboard/panel.ts'
import type { ShownFilter, ShownValue, ShownWord } from '../../plugin/dashboard/shown-value.ts'

/** The shapes of `checkShape` that occur here. */
type Part =
  | 'text'
  | 'text?'
  | 'field'
  | { readonly of: Readonly<Record<string, Part>> }
  | { readonly each: Part }
  | { readonly list: Part }
  | { readonly oneOf: readonly string[] }
type Of<T> = Readonly<Record<keyof T, Part>>

const shownWord: Of<ShownWord> = { label: 'text', tone: { oneOf: ['good', 'warning', 'bad'] } }
const words: Part = { each: { of: shownWord } }
const shownValue: Of<ShownValue> = { label: 'text', as: { oneOf: ['date', 'address'] }, words }
const shownFilter: Of<ShownFilter> = { label: 'text', words }
const values: Part = { each: { of: shownValue } }
const button: Of<PanelButton> = { label: 'text', call: 'text', confirm: 'text?', done: 'text?' }
const form: Of<PanelForm> = { call: 'text', fields: { each: 'field' }, submit: 'text' }
const buttons: Part = { list: { of: button } }
const panel: Of<Panel> = {
  title: 'text',
  lead: 'text?',
  from: 'text?',
  rows: values,
  form: { of: form },
  buttons,
}

/** What `unstable.dashboard` is made of, for `checkShape`. */
export const shapeOfDashboard: Of<Dashboard> = {
  columns: values,
  filters: { each: { of: shownFilter } },
  linkPanel: { of: panel },
}

import type { Dashboard } from '../../plugin/dashboard/dashboard.ts'
import type {
  Panel,
  PanelButton,
  PanelChart,
  PanelForm,
  PanelPage,
  PanelTable,
} from '../../plugin/dashboard/panel.ts'
import type { ShownFilter, ShownValue, ShownWord } from '../../plugin/dashboard/shown-value.ts'

/** The shapes of `checkShape` that occur here. */
type Part =
  | 'text'
  | 'text?'
  | 'field'
  | 'value'
  | { readonly of: Readonly<Record<string, Part>> }
  | { readonly each: Part }
  | { readonly list: Part }
  | { readonly oneOf: readonly string[] }
type Of<T> = Readonly<Record<keyof T, Part>>

const tone: Part = { oneOf: ['good', 'warning', 'bad'] }
const shownWord: Of<ShownWord> = { label: 'text', tone }
const words: Part = { each: { of: shownWord } }
const shownValue: Of<ShownValue> = {
  label: 'text',
  as: { oneOf: ['date', 'address', 'picture'] },
  words,
}
const shownFilter: Of<ShownFilter> = { label: 'text', words }
const values: Part = { each: { of: shownValue } }
const when: Part = { each: 'value' }
const button: Of<PanelButton> = {
  ...{
    label: 'text',
    call: 'text',
    confirm: 'text?',
    passkey: 'text?',
    done: 'text?',
    show: values,
    when,
  },
}
const form: Of<PanelForm> = {
  ...{ call: 'text', fields: { each: 'field' }, submit: 'text', show: values, when },
}
const buttons: Part = { list: { of: button } }
const filters: Part = { each: { of: shownFilter } }
const table: Of<PanelTable> = { columns: values, buttons, filters, edit: { of: form } }
const chart: Of<PanelChart> = {
  kind: { oneOf: ['bars', 'line'] },
  label: 'text',
  words,
  value: 'text',
}
const panel: Of<Panel> = {
  title: 'text',
  lead: 'text?',
  from: 'text?',
  rows: values,
  table: { of: table },
  chart: { of: chart },
  form: { of: form },
  buttons,
  when,
}

export const icons = ['chart', 'gear', 'globe', 'key', 'link', 'megaphone', 'puzzle'] as const
const page: Of<PanelPage> = {
  label: 'text',
  icon: { oneOf: icons },
  lead: 'text?',
  panels: { list: { of: panel } },
}

/** What `unstable.dashboard` is made of, for `checkShape`. */
export const shapeOfDashboard: Of<Dashboard> = {
  columns: values,
  statuses: { each: { of: { tone } } },
  filters,
  linkPanel: { of: panel },
  settings: { of: panel },
  page: { of: page },
}

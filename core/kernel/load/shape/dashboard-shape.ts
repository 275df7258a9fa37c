import type { Dashboard } from '../../../plugin/dashboard/dashboard.ts'
import type {
  Panel,
  PanelButton,
  PanelChart,
  PanelForm,
  PanelPage,
  PanelTable,
} from '../../../plugin/dashboard/panel.ts'
import type { ShownFilter, ShownValue, ShownWord } from '../../../plugin/dashboard/shown-value.ts'
import type { Shape, ShapesOf } from './part-kinds.ts'

const tone: Shape = { oneOf: ['good', 'warning', 'bad'] }
const shownWord: ShapesOf<ShownWord> = { label: 'text', tone }
const words: Shape = { each: { of: shownWord } }
const shownValue: ShapesOf<ShownValue> = {
  label: 'text',
  as: { oneOf: ['date', 'address', 'picture'] },
  words,
}
const shownFilter: ShapesOf<ShownFilter> = { label: 'text', words }
const values: Shape = { each: { of: shownValue } }
const when: Shape = { each: 'value' }
const button: ShapesOf<PanelButton> = {
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
const form: ShapesOf<PanelForm> = {
  ...{ call: 'text', fields: { each: 'field' }, submit: 'text', show: values, when },
}
const buttons: Shape = { list: { of: button } }
const filters: Shape = { each: { of: shownFilter } }
const table: ShapesOf<PanelTable> = { columns: values, buttons, filters, edit: { of: form } }
const chart: ShapesOf<PanelChart> = {
  kind: { oneOf: ['bars', 'line'] },
  label: 'text',
  words,
  value: 'text',
}
const panel: ShapesOf<Panel> = {
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
const page: ShapesOf<PanelPage> = {
  label: 'text',
  icon: { oneOf: icons },
  lead: 'text?',
  panels: { list: { of: panel } },
}

/** What `unstable.dashboard` is made of, for `checkShape`. */
export const shapeOfDashboard: ShapesOf<Dashboard> = {
  columns: values,
  statuses: { each: { of: { tone } } },
  filters,
  linkPanel: { of: panel },
  settings: { list: { of: panel } },
  page: { of: page },
}

import type { Translated } from '../../language/translated.ts'
import type { panelTexts as english } from '../panels.ts'

export const panelTexts = {
  failed: (why: string) => `Das lässt sich nicht anzeigen: ${why}`,
  unexpected: 'Das lässt sich nicht anzeigen: Das Plugin hat etwas Unerwartetes geantwortet.',
  nothing: 'Hier ist noch nichts.',
  chart: (title: string) => `Diagramm: ${title}`,
  once: 'Das wird nur jetzt gezeigt. Was du brauchst, kopierst du vor dem Schließen.',
  copy: (label: string) => `Kopieren: ${label}`,
  edit: (name: string) => `${name} bearbeiten`,
  actionsFor: (name: string) => `Aktionen für ${name}`,
} as const satisfies Translated<typeof english>

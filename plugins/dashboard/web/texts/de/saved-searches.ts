import type { Translated } from '../../language/translated.ts'
import type { savedSearchTexts as english } from '../saved-searches.ts'

export const savedSearchTexts = {
  heading: 'Diese Suche speichern',
  name: 'Name',
  save: 'Speichern',
  saveThis: 'Diese Suche speichern …',
  saved: (name: string) => `Suche als ${name} gespeichert.`,
  none: 'Links suchen oder filtern und die Suche hier speichern.',
  deleteThis: (name: string) => `${name} löschen`,
  deleted: (name: string) => `Suche ${name} gelöscht.`,
} satisfies Translated<typeof english>

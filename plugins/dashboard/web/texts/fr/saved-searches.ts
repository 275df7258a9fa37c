import type { Translated } from '../../language/translated.ts'
import type { savedSearchTexts as english } from '../saved-searches.ts'

export const savedSearchTexts = {
  heading: 'Enregistrer cette recherche',
  name: 'Nom',
  save: 'Enregistrer',
  saveThis: 'Enregistrer cette recherche…',
  saved: (name: string) => `Recherche enregistrée sous ${name}.`,
  none: 'Cherchez ou filtrez vos liens, puis enregistrez la recherche ici.',
  deleteThis: (name: string) => `Supprimer ${name}`,
  deleted: (name: string) => `Recherche ${name} supprimée.`,
} satisfies Translated<typeof english>

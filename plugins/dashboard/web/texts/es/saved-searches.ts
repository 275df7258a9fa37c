import type { Translated } from '../../language/translated.ts'
import type { savedSearchTexts as english } from '../saved-searches.ts'

export const savedSearchTexts = {
  heading: 'Guardar esta búsqueda',
  name: 'Nombre',
  save: 'Guardar',
  saveThis: 'Guardar esta búsqueda…',
  saved: (name: string) => `Búsqueda guardada como ${name}.`,
  none: 'Busca o filtra tus enlaces y guarda aquí la búsqueda.',
  deleteThis: (name: string) => `Eliminar ${name}`,
  deleted: (name: string) => `Búsqueda ${name} eliminada.`,
} satisfies Translated<typeof english>

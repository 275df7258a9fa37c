import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { bulkTexts as english, deletedLinksTexts as englishOfDeleted } from '../bulk.ts'

export const bulkTexts = {
  selected: (count: string) => `Selección: ${count}`,
  selection: 'Enlaces seleccionados',
  tags: 'Etiquetas',
  addTag: 'Añadir etiqueta',
  removeTag: 'Quitar etiqueta',
  addTagOf: (name: string) => `Añadir la etiqueta ${name}`,
  removeTagOf: (name: string) => `Quitar la etiqueta ${name}`,
  takeOut: 'Ninguna',
  export: 'Exportar',
  clearSelection: 'Quitar la selección',
  selectEvery: (count: string) => `Seleccionar todos (${count})`,
  expiry: 'Caducidad',
  expiryHeading: (count: number) =>
    plural(count, 'Cuándo termina el enlace', 'Cuándo terminan los enlaces'),
  ends: 'Termina el',
  endsHint: 'Vacío para enlaces que no terminan nunca.',
  domain: 'Dominio',
  move: 'Mover',
  moveHeading: (count: number) =>
    plural(count, 'Mover a otro dominio', 'Mover enlaces a otro dominio'),
  moveHint: 'El código corto no cambia. La URL corta anterior sigue funcionando.',
  save: 'Guardar',
  undo: 'Deshacer',
  undone: (count: number, shown: string) =>
    plural(count, 'Cambio deshecho.', `Cambio de ${shown} enlaces deshecho.`),
  progress: (done: string, total: string) => `${done} de ${total} enlaces listos.`,
  looking: 'Buscando los enlaces…',
  stop: 'Detener',
  stopped: (done: string, total: string) => `Detenido tras ${done} de ${total} enlaces.`,
  archived: (count: number, shown: string) =>
    plural(count, 'Enlace archivado.', `${shown} enlaces archivados.`),
  unarchived: (count: number, shown: string) =>
    plural(count, 'Enlace desarchivado.', `${shown} enlaces desarchivados.`),
  tagged: (count: number, shown: string) =>
    plural(count, 'Etiqueta añadida al enlace.', `Etiqueta añadida a ${shown} enlaces.`),
  untagged: (count: number, shown: string) =>
    plural(count, 'Etiqueta quitada del enlace.', `Etiqueta quitada de ${shown} enlaces.`),
  inCampaign: (count: number, shown: string) =>
    plural(count, 'Enlace añadido a la campaña.', `${shown} enlaces añadidos a la campaña.`),
  inNoCampaign: (count: number, shown: string) =>
    plural(count, 'Enlace quitado de su campaña.', `${shown} enlaces quitados de sus campañas.`),
  moved: (count: number, shown: string) =>
    plural(count, 'Enlace movido.', `${shown} enlaces movidos.`),
  ending: (count: number, shown: string) =>
    plural(count, 'El final del enlace está fijado.', `El final de ${shown} enlaces está fijado.`),
  endless: (count: number, shown: string) =>
    plural(count, 'El enlace no termina nunca.', `${shown} enlaces no terminan nunca.`),
  failed: (count: number, shown: string, reason: string) =>
    plural(
      count,
      `Un enlace no se ha cambiado: ${reason}`,
      `${shown} enlaces no se han cambiado: ${reason}`,
    ),
} satisfies Translated<typeof english>

export const deletedLinksTexts = {
  heading: 'Enlaces eliminados',
  none: 'No hay enlaces eliminados que se puedan restaurar.',
  restore: 'Restaurar',
  restoreOf: (name: string) => `Restaurar ${name}`,
  restored: (name: string) => `Enlace ${name} restaurado.`,
  deleted: (when: string) => `Eliminado ${when}`,
  keptUntil: (day: string) => `se puede restaurar hasta el ${day}`,
  forget: 'Eliminar definitivamente',
  forgetAsk: '¿Eliminar definitivamente este enlace con sus estadísticas?',
  forgotten: 'Enlace eliminado definitivamente.',
} satisfies Translated<typeof englishOfDeleted>

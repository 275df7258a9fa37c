import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { bulkTexts as english } from '../bulk.ts'

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
  undone: (count: number) =>
    plural(count, 'Cambio deshecho.', `Cambio de ${count} enlaces deshecho.`),
  progress: (done: string, total: string) => `${done} de ${total} enlaces listos.`,
  looking: 'Buscando los enlaces…',
  stop: 'Detener',
  stopped: (done: string, total: string) => `Detenido tras ${done} de ${total} enlaces.`,
  archived: (count: number) => plural(count, 'Enlace archivado.', `${count} enlaces archivados.`),
  unarchived: (count: number) =>
    plural(count, 'Enlace desarchivado.', `${count} enlaces desarchivados.`),
  tagged: (count: number) =>
    plural(count, 'Etiqueta añadida al enlace.', `Etiqueta añadida a ${count} enlaces.`),
  untagged: (count: number) =>
    plural(count, 'Etiqueta quitada del enlace.', `Etiqueta quitada de ${count} enlaces.`),
  inCampaign: (count: number) =>
    plural(count, 'Enlace añadido a la campaña.', `${count} enlaces añadidos a la campaña.`),
  inNoCampaign: (count: number) =>
    plural(count, 'Enlace quitado de su campaña.', `${count} enlaces quitados de sus campañas.`),
  moved: (count: number) => plural(count, 'Enlace movido.', `${count} enlaces movidos.`),
  ending: (count: number) =>
    plural(count, 'El final del enlace está fijado.', `El final de ${count} enlaces está fijado.`),
  endless: (count: number) =>
    plural(count, 'El enlace no termina nunca.', `${count} enlaces no terminan nunca.`),
  failed: (count: number, reason: string) =>
    plural(
      count,
      `Un enlace no se ha cambiado: ${reason}`,
      `${count} enlaces no se han cambiado: ${reason}`,
    ),
} satisfies Translated<typeof english>

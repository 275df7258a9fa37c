import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { manyTexts as english } from '../many.ts'

export const manyTexts = {
  title: 'Crear muchos enlaces',
  lead: 'Con una lista de URL o un archivo CSV. Antes de crear nada se muestra una vista previa.',
  addresses: 'URL',
  addressesHint: 'Una por línea. Para elegir el código corto, ponlo delante de la URL.',
  chooseFile: 'Elegir archivo CSV',
  dropHint: 'O suéltalo aquí. 10 000 filas y 5 MiB como máximo.',
  toPreview: 'Vista previa',
  nothing: 'No se ha encontrado ninguna URL.',
  tooMany: (max: string) => `Demasiadas filas: divídelas en partes de ${max} como máximo.`,
  tooLarge: 'Demasiado grande: divídelo en partes de 5 MiB como máximo.',
  columns: 'Columnas',
  column: (place: number) => `Columna ${place}`,
  leaveOut: 'Ignorar',
  targets: {
    original_url: 'URL de destino',
    short_code: 'Código corto',
    domain: 'Dominio',
    title: 'Título',
    notes: 'Notas',
    tags: 'Etiquetas',
    campaign: 'Campaña',
    expires_at: 'Termina el',
  },
  preview: 'Vista previa',
  rows: 'Filas',
  asking: 'Comprobando códigos cortos…',
  ready: (ready: number, shown: string, wrong: number, shownWrong: string) =>
    `${plural(ready, 'Se puede crear 1 enlace', `Se pueden crear ${shown} enlaces`)}${wrong > 0 ? `, ${shownWrong} no` : ''}.`,
  onConflict: 'Si un código corto ya está en uso:',
  onConflicts: { skip: 'Saltar la fila', other: 'Usar otro código' },
  onlyWrong: 'Mostrar solo filas con problemas',
  row: 'Fila',
  state: 'Estado',
  ok: 'Listo',
  random: 'al azar',
  instead: (code: string) => `En lugar de ${code}, que ya está en uso`,
  more: (count: number, shown: string) => plural(count, 'Y una fila más.', `Y ${shown} filas más.`),
  back: 'Atrás',
  make: (count: number, shown: string) => plural(count, 'Crear 1 enlace', `Crear ${shown} enlaces`),
  problems: {
    noAddress: 'Esta fila no tiene URL.',
    badAddress: 'La URL debe empezar por http:// o https://.',
    badDate: 'Escribe la fecha como 2027-03-01 o 2027-03-01 12:00.',
    twice: 'Una fila anterior tiene el mismo código corto.',
  },
  running: 'Creando enlaces',
  done: 'Resultado',
  progress: 'Enlaces creados',
  soFar: (made: string, total: string, failed: number, shownFailed: string) => {
    const without = plural(failed, 'ha fallado 1 fila', `han fallado ${shownFailed} filas`)
    return `${made} de ${total} creados${failed === 0 ? '' : `, ${without}`}.`
  },
  stop: 'Detener',
  goOn: (left: string) => `Seguir con los ${left} restantes`,
  saveMade: 'Descargar URL cortas',
  again: 'Crear más',
  failures: 'Filas con fallos',
  problem: 'Problema',
  saveFailures: 'Descargarlas como CSV',
  notSent: 'Detenido antes de esta fila.',
  leaveWarning:
    'Aún se están creando enlaces. Si sales, los ya creados se conservan y el resto no se crea.',
} as const satisfies Translated<typeof english>

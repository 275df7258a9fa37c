import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type {
  codesTexts as englishCodes,
  linkFormTexts as englishForm,
  pathsTexts as englishPaths,
  utmTexts as englishUtm,
} from '../link-form.ts'

export const linkFormTexts = {
  fields: {
    originalUrl: 'URL de destino',
    title: 'Título',
    notes: 'Notas',
    archived: 'Archivado',
    archivedHint: 'Fuera de la lista; el enlace sigue funcionando.',
  },
  main: 'Enlace',
  sorting: 'Organizar',
  options: 'Opciones',
  barred: 'No incluido en tu plan',
  barredLead: 'Tu plan no lo incluye. Lo que ya está definido sigue funcionando y puedes quitarlo.',
  set: 'Definido',
  on: 'Sí',
  off: 'No',
  items: (count: number) => plural(count, '1 elemento', `${count} elementos`),
  rules: (count: number) => plural(count, '1 regla', `${count} reglas`),
  submit: 'Crear enlace',
  cancel: 'Cancelar',
  saveBar: 'Cambios sin guardar',
  unsaved: 'Hay cambios sin guardar.',
  discard: 'Descartar',
  save: 'Guardar cambios',
  noTags: 'No existe esa etiqueta.',
  createTag: (name: string) => `Crear la etiqueta «${name}»`,
  noCampaigns: 'No existe esa campaña.',
  createCampaign: (name: string) => `Crear la campaña «${name}»`,
  defaultDomain: (host: string) => `${host} (esta instancia)`,
  leaveHeading: '¿Salir sin guardar?',
  leaveWarning: 'Se perderán tus cambios en esta página.',
  leave: 'Salir',
  stay: 'Quedarse',
  conflictHeading: 'Cambiado en otro sitio',
  conflictLead:
    'Alguien, o tú en otra ventana, ha cambiado este enlace mientras lo editabas. No se ha perdido ninguno de tus cambios.',
  conflictDisputed: 'Esto se ha cambiado en los dos sitios. ¿Qué versión quieres conservar?',
  conflictTaken: 'Esto solo se ha cambiado allí, y se queda como está ahora.',
  conflictNothing: 'Nada de lo que muestra este formulario se ha cambiado allí.',
  mine: 'La mía',
  theirs: 'La otra',
  mineIs: 'La mía',
  theirsIs: 'La otra',
  conflictSave: 'Guardar',
  fromNow: 'Desde ahora',
  endsIn: { 1: 'En 1 día', 7: 'En 7 días', 30: 'En 30 días', 365: 'En 1 año' },
} as const satisfies Translated<typeof englishForm>

export const codesTexts = {
  random: 'Vacío para uno al azar',
  asking: 'Comprobando…',
  free: 'Disponible.',
  taken: 'Ya está en uso.',
  reserved: 'Reservado por Linnet.',
  malformed: 'Solo letras, cifras, guiones y guiones bajos, 64 caracteres como máximo.',
  use: (code: string) => `Usar ${code}`,
} as const satisfies Translated<typeof englishCodes>

export const utmTexts = {
  templates: 'Plantillas',
  keep: 'Guardar como plantilla…',
  remove: (name: string) => `Quitar «${name}»`,
  name: 'Nombre de la plantilla',
} as const satisfies Translated<typeof englishUtm>

export const pathsTexts = {
  off: 'Desactivado',
  append: 'Se añade a la URL de destino',
  template: 'Se inserta en una plantilla',
  templateLabel: 'Plantilla',
  templateHint:
    'Una ruta en el host de la URL de destino: {1} es la primera parte, {*} todas las siguientes, {query.name} un parámetro, {1|start} tiene un valor predeterminado.',
  example: 'Por ejemplo',
} as const satisfies Translated<typeof englishPaths>

import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { analyticsTexts as english } from '../analytics.ts'

export const analyticsTexts = {
  topLinks: 'Enlaces más visitados',
  link: 'Enlace',
  change: 'Cambio',
  isNew: 'nuevo',
  showLinks: 'Mostrar todo',
  valueOf: (dimension: string, value: string) => `${dimension}: ${value}`,
  overTime: 'A lo largo del tiempo',
  itsLinks: 'Enlaces',
  limits:
    'Linnet solo guarda totales, nunca visitas sueltas. Por eso se sabe qué enlaces tuvieron estas visitas y cuándo, pero no cómo se combinan dos valores, como un país y un navegador.',
  noneMeans:
    'Estas visitas no tienen valor aquí: el navegador no envió ninguno, o el visitante pidió que no se le siguiera.',
  domain: 'Dominio',
  allDomains: 'Todos los dominios',
  save: (panel: string) => `Guardar ${panel}`,
  asCsv: 'Cifras (CSV)',
  asSvg: 'Imagen (SVG)',
  asPng: 'Imagen (PNG)',
  share: 'Compartir',
  publicPage: 'Página pública',
  publicLead:
    'Quien tenga la dirección secreta ve estas cifras, sin cuenta. La página no nombra ninguna cuenta, etiqueta, campaña ni regla de redirección.',
  publish: 'Crear página pública',
  address: 'Dirección secreta',
  copyAddress: 'Copiar la dirección secreta',
  isOpen: 'La página está abierta',
  isOpenHint: 'Desactivada, la dirección no muestra nada hasta que la vuelvas a activar.',
  heading: 'Encabezado',
  headingHint: 'Lo lee quien tenga la dirección. Vacío: ninguno.',
  revoke: 'Revocar',
  revokeAsk: '¿Revocar esta página?',
  revokeMeans:
    'Su dirección deja de funcionar para siempre. Una página nueva recibe otra dirección.',
  openPage: 'Abrir página',
  live: {
    heading: 'Últimos minutos',
    in5: (count: number, shown: string) =>
      plural(
        count,
        '1 visita en los últimos 5 minutos',
        `${shown} visitas en los últimos 5 minutos`,
      ),
    in30: (shown: string) => `${shown} en 30 minutos`,
    counted: 'Visitas sin bots. Se actualiza cada diez segundos.',
    since: (time: string) => `desde el reinicio a las ${time}`,
  },
  annotations: {
    all: 'Anotaciones',
    of: (days: string) => `Anotaciones: ${days}`,
    none: 'No hay anotaciones en estos días. Las que añadas aparecen en todos los gráficos de tu cuenta.',
    add: 'Añadir anotación',
    text: 'Qué pasó',
    day: 'Día',
    mark: (when: string, said: string) => `Anotaciones del ${when}: ${said}`,
    said: (texts: string) => `anotado: ${texts}`,
    byClick: 'Haz clic para anotar',
    byKey: 'Pulsa Intro para anotar este punto.',
    actionsOf: (text: string) => `Acciones para ${text}`,
    deleteAsk: '¿Eliminar esta anotación?',
    deleted: 'Anotación eliminada.',
  },
} as const satisfies Translated<typeof english>

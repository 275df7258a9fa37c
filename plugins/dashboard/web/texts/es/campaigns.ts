import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { campaignsTexts as english } from '../campaigns.ts'

export const campaignsTexts = {
  title: 'Campañas',
  lead: 'Enlaces con un mismo fin, con sus estadísticas conjuntas.',
  list: 'Tus campañas',
  create: 'Campaña nueva',
  edit: 'Editar campaña',
  submit: 'Crear campaña',
  name: 'Nombre',
  description: 'Descripción',
  startsAt: 'Inicio',
  endsAt: 'Fin',
  spanHint: 'Solo para tu orientación. Los enlaces funcionan antes y después de estas fechas.',
  made: (name: string) => `Campaña ${name} creada.`,
  deleted: (name: string) => `Campaña ${name} eliminada.`,
  states: { upcoming: 'Próxima', running: 'En curso', ended: 'Terminada' },
  from: (start: string) => `Desde ${start}`,
  until: (end: string) => `Hasta ${end}`,
  span: (start: string, end: string) => `${start}\u00A0– ${end}`,
  links: (count: number, shown: string) => plural(count, '1 enlace', `${shown} enlaces`),
  visits: (count: number, shown: string) => plural(count, '1 visita', `${shown} visitas`),
  linksCount: 'Enlaces',
  visitsCount: 'Visitas',
  perLink: 'Visitas por enlace',
  when: 'Fechas',
  always: 'Sin fechas',
  actionsOf: (name: string) => `Acciones para ${name}`,
  showLinks: 'Mostrar enlaces',
  analytics: 'Estadísticas',
  topLinks: 'Enlaces más visitados',
  allLinks: 'Todos los enlaces de esta campaña',
  noLinks: 'Aún no hay enlaces en esta campaña. Elígela al crear o editar un enlace.',
  toLinks: 'Ir a tus enlaces',
  back: 'Todas las campañas',
  deleteHeading: (name: string) => `¿Eliminar la campaña ${name}?`,
  deleteWarning: (count: number, shown: string) =>
    count === 0
      ? 'No hay ningún enlace en esta campaña.'
      : plural(
          count,
          'Su enlace se conserva, con sus estadísticas, pero ya no está en una campaña.',
          `Sus ${shown} enlaces se conservan, con sus estadísticas, pero ya no están en una campaña.`,
        ),
  emptyHeading: 'Crea tu primera campaña',
  emptyLead:
    'Una campaña agrupa los enlaces de un mismo fin, como un lanzamiento o una temporada, y muestra sus estadísticas conjuntas.',
} as const satisfies Translated<typeof english>

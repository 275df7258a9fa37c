import type { Translated } from '../../language/translated.ts'
import type { panelTexts as english } from '../panels.ts'

export const panelTexts = {
  failed: (why: string) => `No se puede mostrar: ${why}`,
  unexpected: 'No se puede mostrar: la respuesta del plugin es inesperada.',
  nothing: 'Aquí todavía no hay nada.',
  chart: (title: string) => `Gráfico: ${title}`,
  once: 'Solo se muestra ahora. Copia lo que necesites antes de cerrar.',
  copy: (label: string) => `Copiar: ${label}`,
  edit: (name: string) => `Editar ${name}`,
  actionsFor: (name: string) => `Acciones para ${name}`,
} as const satisfies Translated<typeof english>

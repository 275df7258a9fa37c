import type { Translated } from '../../language/translated.ts'
import type { toolsTexts as english } from '../tools.ts'

export const toolsTexts = {
  heading: 'Acortar desde cualquier sitio',
  lead: 'Crea un enlace a la página que estás viendo. Antes de crearlo se muestra el formulario.',
  bookmark: 'Acortar con Linnet',
  drag: 'Arrástralo a la barra de marcadores. Un clic en cualquier página abre el formulario con esa página ya puesta.',
  notHere:
    'Arrástralo a la barra de marcadores y haz clic allí mientras ves la página que quieres acortar.',
  byHand: 'O crea un marcador con esta URL:',
  copy: 'Copiar el bookmarklet',
  phone:
    'En un teléfono, añade esta página a la pantalla de inicio. Si tu navegador lo permite, después podrás compartir páginas con Linnet.',
} as const satisfies Translated<typeof english>

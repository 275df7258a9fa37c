import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { paletteTexts as english } from '../palette.ts'

export const paletteTexts = {
  title: 'Buscar enlaces, páginas y acciones',
  placeholder: 'Buscar enlaces, páginas y acciones…',
  groups: { links: 'Enlaces', actions: 'Acciones', pages: 'Páginas', more: 'Más' },
  none: 'Sin resultados.',
  looking: 'Buscando…',
  found: (count: number) => plural(count, 'Un resultado.', `${count} resultados.`),
  makeLink: (address: string) => `Crear un enlace a ${address}`,
  adminPage: (page: string) => `Administración: ${page}`,
  newLink: 'Enlace nuevo',
  makeMany: 'Crear muchos enlaces desde una lista o un archivo CSV',
  schemes: {
    light: 'Apariencia clara',
    dark: 'Apariencia oscura',
    auto: 'Apariencia del sistema',
  },
  keysTitle: 'Atajos de teclado',
  hints: { open: 'para abrir', copy: 'para copiar un enlace', close: 'para cerrar' },
  enter: 'Intro',
  escape: 'Esc',
  keys: {
    everywhere: 'En todas partes',
    find: 'Buscar enlaces, páginas y acciones',
    make: 'Enlace nuevo',
    help: 'Mostrar los atajos de teclado',
    lists: 'En la lista de enlaces',
    search: 'Buscar enlaces',
    rules: 'En las reglas de redirección',
    moveRule: 'Subir o bajar una regla',
    chart: 'En el gráfico',
    alongChart: 'Recorrer el gráfico',
  },
  single: 'Los atajos de una sola tecla se pueden desactivar en los ajustes.',
} as const satisfies Translated<typeof english>

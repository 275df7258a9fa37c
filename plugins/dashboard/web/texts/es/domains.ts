import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { domainsTexts as english } from '../domains.ts'

export const domainsTexts = {
  title: 'Dominios',
  lead: 'Dominios propios para tus enlaces, como go.example.org.',
  list: 'Tus dominios',
  create: 'Añadir dominio',
  submit: 'Añadir dominio',
  edit: 'Editar dominio',
  editOf: (host: string) => `Editar ${host}`,
  host: 'Nombre de dominio',
  hostHint: 'Sin https:// y sin ruta.',
  rootUrl: 'Portada',
  rootUrlHint:
    'Adónde van los visitantes que abren el dominio mismo. Vacío: se muestra una página que dice que no hay enlace.',
  notFoundUrl: 'Página para enlaces desconocidos',
  notFoundUrlHint:
    'Adónde van los visitantes cuyo código corto no existe. Vacío: se muestra una página que lo dice.',
  added: (host: string) => `${host} añadido. Ahora verifica que es tuyo.`,
  deleted: (host: string) => `${host} eliminado.`,
  verified: 'Verificado',
  unverified: 'Sin verificar',
  nowVerified: (host: string) => `${host} está verificado. Ya puedes crear enlaces en él.`,
  links: (count: number, shown: string) => plural(count, '1 enlace', `${shown} enlaces`),
  leadsTo: (url: string) => `Portada: ${url}`,
  notFoundTo: (url: string) => `Enlaces desconocidos: ${url}`,
  actionsOf: (host: string) => `Acciones para ${host}`,
  proveHeading: 'Verificar que es tuyo',
  proveLead:
    'Elige una de las dos formas. Con el dominio verificado, puedes quitar el registro o el archivo.',
  byDns: 'Registro DNS',
  byDnsLead: 'Añade este registro en tu proveedor de DNS. Puede tardar una hora en verse.',
  type: 'Tipo',
  recordName: 'Nombre',
  value: 'Valor',
  byFile: 'Archivo',
  byFileLead:
    'Pon este texto en un archivo en el servidor web del dominio. Solo sirve mientras el dominio aún no apunta a Linnet.',
  address: 'URL del archivo',
  content: 'Contenido',
  copy: (what: string) => `Copiar: ${what}`,
  verify: 'Verificar ahora',
  pointHere:
    'Después, haz que el dominio apunte a este servidor con un registro CNAME, A o AAAA, y ponle un certificado TLS.',
  deleteHeading: (host: string) => `¿Eliminar ${host}?`,
  deleteWarning: 'Los enlaces de este dominio dejan de funcionar.',
  inUse: (count: number, shown: string) =>
    plural(
      count,
      'Hay un enlace en este dominio. Muévelo antes a otro dominio o elimínalo.',
      `Hay ${shown} enlaces en este dominio. Muévelos antes a otro dominio o elimínalos.`,
    ),
  emptyHeading: 'Usa tu propio dominio',
  emptyLead:
    'Los enlaces en tu propio dominio muestran de quién vienen. Añade el dominio, verifícalo con un registro DNS o un archivo, y elígelo al crear un enlace.',
} as const satisfies Translated<typeof english>

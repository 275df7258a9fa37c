import type { Translated } from '../../language/translated.ts'
import type { tokensTexts as english, appsTexts as englishApps } from '../tokens.ts'

export const tokensTexts = {
  title: 'Tokens de API',
  lead: 'Claves para programas que usan la API en tu nombre.',
  list: 'Tus tokens de API',
  create: 'Token nuevo',
  edit: 'Editar token',
  submit: 'Crear token',
  name: 'Nombre',
  nameHint: 'Qué lo usa, como «Script del boletín».',
  scopes: 'Permisos',
  everything: 'Todo',
  everythingHint:
    'Todo lo que puedes hacer ahora y en versiones futuras, incluso cambiar y eliminar tu cuenta.',
  admin: 'Gestionar la instancia',
  adminHint: 'Cuentas, planes, extensiones y copias de seguridad. Solo para admins.',
  profile: 'Leer tu perfil',
  profileHint: 'Nombre, dirección de correo, plan y uso.',
  read: 'Leer',
  write: 'Escribir',
  readOf: (what: string) => `Leer: ${what}`,
  writeOf: (what: string) => `Escribir: ${what}`,
  writeHint: 'Escribir permite crear, cambiar y eliminar, e incluye leer.',
  resources: {
    links: 'Enlaces',
    tags: 'Etiquetas',
    campaigns: 'Campañas',
    domains: 'Dominios',
    analytics: 'Estadísticas',
    'api-tokens': 'Tokens de API',
    plugins: 'Extensiones',
  },
  expires: 'Caducidad',
  expiry: {
    '7': 'En 7 días',
    '30': 'En 30 días',
    '90': 'En 90 días',
    '365': 'En 1 año',
    never: 'Nunca',
  },
  keepExpiry: (when: string) => `Sin cambios: ${when}`,
  neverHint: 'Quien obtenga este token puede usarlo hasta que lo revoques.',
  none: 'nunca',
  expiresAt: (when: string) => `Caduca: ${when}`,
  expiredAt: (when: string) => `Caducó: ${when}`,
  expiresNever: 'No caduca nunca',
  used: (when: string) => `Último uso: ${when}`,
  unused: 'Sin usar',
  made: (when: string) => `Creado: ${when}`,
  madeHeading: 'Tu token nuevo',
  onceHeading: 'Cópialo ahora',
  once: 'No podrás volver a verlo. Guárdalo como una contraseña.',
  token: 'Token',
  copyToken: 'Copiar token',
  tryIt: 'Pruébalo en un terminal',
  copyCommand: 'Copiar comando',
  actionsOf: (name: string) => `Acciones para ${name}`,
  revoke: 'Revocar',
  revoked: (name: string) => `${name} revocado.`,
  revokeHeading: (name: string) => `¿Revocar ${name}?`,
  revokeWarning:
    'Los programas que usan este token pierden el acceso al momento. No se puede deshacer.',
  barred: 'Tu plan no incluye tokens de API. Los que existen no funcionan, y puedes revocarlos.',
  switchedOff:
    'Los tokens de API están desactivados para todos. Los que existen no funcionan hasta que se vuelvan a activar.',
  emptyHeading: 'Crea tu primer token de API',
  emptyLead:
    'Un programa puede hacer todo lo que se puede hacer aquí. Crea un token, ponlo en lugar de lnt_…, y este comando crea un enlace:',
} as const satisfies Translated<typeof english>

export const appsTexts = {
  title: 'Aplicaciones',
  lead: 'Crear enlaces desde otros programas. Cada fragmento lleva la dirección de esta instancia; su token solo permite enlaces.',
  copyOf: (name: string) => `Copiar para ${name}`,
  save: (file: string) => `Guardar ${file}`,
  makeFor: (name: string) => `Crear un token para ${name}`,
  made: 'El token está en el fragmento. No se podrá volver a ver al salir de esta página.',
  apps: {
    shareX: {
      name: 'ShareX',
      lead: 'Guarda el archivo y ábrelo. ShareX lo añade a sus cargadores personalizados y pregunta si debe acortar URL con él.',
    },
    shortcuts: {
      name: 'Atajos de iOS',
      lead: 'Crea un atajo que aparezca al compartir y reciba URL. Añade «Obtener contenido de URL» con esta URL, este método y esta cabecera, y un cuerpo JSON con el texto original_url. Añade después «Obtener valor del diccionario» para el valor de abajo, y «Copiar al portapapeles».',
    },
    raycast: {
      name: 'Raycast',
      lead: 'Guarda el archivo en la carpeta de los comandos de script y hazlo ejecutable. La URL corta se copia.',
    },
    homeAssistant: {
      name: 'Home Assistant',
      lead: 'Añádelo a configuration.yaml. La acción rest_command.shorten_url toma url y responde con el enlace en content.data.shortUrl.',
    },
    n8n: {
      name: 'n8n',
      lead: 'Copia esto y pégalo en un flujo de trabajo. El nodo acorta la URL del campo url y devuelve el enlace en data.shortUrl.',
    },
    assistant: {
      name: 'Asistentes de IA',
      lead: 'Para Claude, editores y otros programas que hablan el Model Context Protocol (MCP): añade esto a sus servidores. Pueden crear, buscar, cambiar y contar enlaces, y muestran lo que borrarían antes de hacerlo.',
    },
    curl: { name: 'curl', lead: 'En una terminal o un script.' },
    bookmarklet: {
      name: 'Bookmarklet',
      lead: 'Añade un marcador con esta dirección. Abre el formulario de un enlace nuevo con la página que estás viendo, y no necesita token.',
    },
  },
} as const satisfies Translated<typeof englishApps>

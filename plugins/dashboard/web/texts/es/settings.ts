import type { Translated } from '../../language/translated.ts'
import type {
  settingsTexts as english,
  signInTexts as englishSignIn,
  toolsTexts as englishTools,
} from '../settings.ts'

export const settingsTexts = {
  title: 'Ajustes',
  profile: 'Perfil',
  profileLead:
    'Tu nombre y tu dirección. Solo tú y los administradores de esta instancia pueden verlos.',
  fullName: 'Nombre',
  email: 'Dirección de correo',
  emailHint: 'Con ella inicias sesión.',
  isAdmin: 'Admin',
  plan: 'Plan',
  planLead: (resets: string) =>
    `Tu uso hasta ahora. Los límites mensuales vuelven a cero el ${resets}.`,
  usage: {
    links: 'Enlaces creados este mes',
    visits: 'Visitas contadas este mes',
  },
  usedOf: (used: string, max: string) => `${used} de ${max}`,
  usedUnlimited: (used: string) => `${used} · ilimitado`,
  usedUp: {
    links: 'No puedes crear más enlaces este mes.',
    visits: 'Tus enlaces siguen funcionando, pero este mes ya no se cuentan más visitas.',
    things: (label: string) => `Has alcanzado el límite de tu plan: ${label}.`,
  },
  included: 'Qué incluye el plan',
  includes: (count: string, total: string) => `${count} de ${total}`,
  yes: 'Incluido:',
  no: 'No incluido:',
  groups: {
    link: 'Enlaces',
    organization: 'Organización',
    analytics: 'Estadísticas',
    developer: 'Para desarrollo',
    other: 'Más',
  },
  appearance: 'Apariencia',
  appearanceLead: 'Se guarda solo en este navegador.',
  shortcuts: 'Atajos de teclado',
  shortcutsHint: 'Teclas sueltas que actúan al momento. Desactívalas si usas la entrada por voz.',
  keys: { '/': 'Buscar enlaces', c: 'Enlace nuevo', '?': 'Mostrar todos los atajos' },
  password: 'Contraseña',
  passwordLead: 'Al cambiarla terminan todas las demás sesiones.',
  noPasswordLead: 'Aún no tienes contraseña. Pon una para iniciar sesión aquí.',
  currentPassword: 'Contraseña actual',
  askedPassword: 'Introduce tu contraseña',
  askedPasswordLead:
    'Este paso necesita tu contraseña, por si otra persona está usando tu navegador.',
  askedPasswordSubmit: 'Continuar',
  wrongPassword: 'Esta no es tu contraseña actual.',
  newPassword: 'Contraseña nueva',
  newPasswordHint: 'Al menos 12 caracteres.',
  changePassword: 'Cambiar contraseña',
  passwordChanged: 'Contraseña cambiada. Todas las demás sesiones han terminado.',
  sessions: 'Sesiones',
  sessionsLead: 'Dónde has iniciado sesión. Linnet no guarda qué navegadores usas.',
  session: 'Sesión',
  thisSession: 'Este navegador',
  signedIn: (when: string) => `Iniciada: ${when}`,
  lastSeen: (when: string) => `Vista por última vez: ${when}`,
  end: 'Terminar',
  endOf: (when: string) => `Terminar la sesión: ${when}`,
  ended: 'Sesión terminada.',
  endOthers: 'Terminar todas las demás sesiones',
  othersEnded: 'Todas las demás sesiones han terminado.',
  identities: 'Otras formas de iniciar sesión',
  identitiesLead: 'Proveedores que te conocen. Al quitar uno, tus sesiones siguen abiertas.',
  identityWhen: (since: string, last: string) => `Desde ${since} · Último uso ${last}`,
  removeIdentity: 'Quitar',
  removeIdentityOf: (provider: string) => `Quitar ${provider}`,
  identityRemoved: 'Quitado. Ya no inicia tu sesión.',
  delete: 'Eliminar cuenta',
  deleteLead:
    'Esto elimina tu cuenta con todos sus enlaces, etiquetas, campañas y estadísticas. No se puede deshacer.',
  deleteStart: 'Eliminar cuenta',
  deleteWarning:
    'Todas tus URL cortas dejan de funcionar al momento, también las ya impresas o enviadas.',
  deleteConfirm: (email: string) => `Escribe ${email} para confirmar`,
  deleteSubmit: 'Eliminar para siempre',
  lastAdmin:
    'Es la única cuenta de admin, y esta instancia necesita una. Antes, haz admin a otra cuenta.',
  lastAdminLink: 'Ir a las cuentas',
} as const satisfies Translated<typeof english>

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
} as const satisfies Translated<typeof englishTools>

export const signInTexts: Translated<typeof englishSignIn> = {
  with: (provider: string) => `Iniciar sesión con: ${provider}`,
  or: 'o',
  noPasskeys:
    'Este navegador no tiene llaves de acceso aquí. Necesitan https y un nombre en lugar de una dirección IP.',
  passkeyNotUsed: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o usa otra manera.',
  passkeyNotMade: 'No se creó ninguna llave de acceso. Quizá este dispositivo ya tiene una.',
  letters: 'Mostrar letras en el teclado',
  digits: 'Mostrar cifras en el teclado',
  instead: (label: string) => `Usar en su lugar: ${label}`,
  back: 'Empezar de nuevo',
  proveHeading: 'Iniciar sesión otra vez',
  proveLead:
    'Este paso necesita un inicio de sesión reciente, por si otra persona usa tu navegador. Después vuelves a esta página. Lo que se haya escrito aquí se pierde.',
  proveHere:
    'Este paso requiere haber iniciado sesión hace poco, por si otra persona usa tu navegador.',
  signUp: 'Crear una cuenta',
  mailLink: '¿Olvidaste tu contraseña? Enviarme un enlace',
  linkMailed: 'Si hay una cuenta con esta dirección, el enlace está en camino. Vale un día.',
  adminsByPassword: 'Solo los administradores entran con contraseña',
  problems: {
    domain_not_allowed: 'Con tu dirección no se puede entrar aquí. Pregunta a un administrador.',
    group_not_allowed:
      'No estás en ningún grupo que pueda entrar aquí. Pregunta a un administrador.',
    not_proven:
      'El otro servidor no preguntó quién eres. Cierra la sesión allí y aquí, y vuelve a entrar.',
    provider_refused: 'El otro servidor no inició tu sesión.',
    account_suspended: 'Esta cuenta está suspendida. Pregunta a quien opera este sitio.',
    no_account:
      'Aquí no hay ninguna cuenta para ti. Pídela a un administrador o entra con tu contraseña.',
    invalid_one_time_link:
      'Esta invitación se usó o se revocó, o ha caducado. Pide una nueva a un admin.',
    other_account: 'Allí has iniciado sesión como otra persona que aquí.',
    sign_in_expired:
      'El inicio de sesión tardó demasiado o empezó en otro navegador. Inténtalo de nuevo.',
    sign_in_failed: 'No se pudo iniciar sesión allí. Inténtalo más tarde.',
    second_step_unavailable:
      'El segundo paso no está disponible en este momento. Inténtalo más tarde o avisa a quien administra el servidor.',
    unauthenticated: 'Tu sesión ha terminado. Inicia sesión primero.',
  },
  otherProblem: (why: string) => `No se pudo iniciar sesión allí: ${why}.`,
  methods: {
    pwd: 'contraseña',
    otp: 'código de un solo uso',
    hwk: 'llave de seguridad',
    swk: 'clave de acceso',
    sms: 'SMS',
    fed: 'otro servidor',
  },
  by: (methods: string) => `con ${methods}`,
  provenAt: (when: string) => `confirmada ${when}`,
}

import type { Translated } from '../../language/translated.ts'
import type { oneTimeLinkTexts as english } from '../one-time-link.ts'

export const oneTimeLinkTexts = {
  title: 'Elegir una contraseña',
  heading: 'Elegir una contraseña nueva',
  lead: 'Se iniciará tu sesión aquí y se cerrarán las demás. Tus tokens de API dejan de valer.',
  welcome: (name: string | null) =>
    name ? `Te damos la bienvenida, ${name}` : 'Te damos la bienvenida a Linnet',
  welcomeLead: 'Elige una contraseña para tu cuenta.',
  email: 'Correo electrónico',
  password: 'Contraseña nueva',
  passwordHint: 'Al menos 12 caracteres.',
  submit: 'Guardar e iniciar sesión',
  over: 'Este enlace ya no funciona',
  failed: 'Este enlace no se puede abrir en este momento',
  signIn: 'Iniciar sesión',

  invite: 'Enlace de invitación',
  renew: 'Enlace para una contraseña nueva',
  inviteHeading: (email: string) => `Invitar a ${email}`,
  renewHeading: (email: string) => `Contraseña nueva para ${email}`,
  inviteLead:
    'Quien abra el enlace elige la contraseña de esta cuenta e inicia sesión. Funciona una sola vez, durante siete días.',
  renewLead:
    'Quien abra el enlace elige una contraseña nueva para esta cuenta e inicia sesión; todas las sesiones y los tokens de API de la cuenta se cierran. Funciona una sola vez, durante un día. Hasta entonces, la contraseña actual sigue siendo válida.',
  waiting: (until: string) =>
    `Un enlace es válido hasta el ${until}. Si creas otro, deja de funcionar.`,
  make: 'Crear enlace',
  mail: 'Enviar el enlace',
  mailed: (email: string) => `El enlace está en camino a ${email}.`,
  makeAgain: 'Crear otro enlace',
  revoke: 'Revocar enlace',
  revoked: 'El enlace ya no funciona.',
  once: 'Da este enlace solo a la persona a quien pertenece la cuenta. No se volverá a mostrar, pero puedes crear otro.',
  onceHeading: (until: string) => `Funciona una sola vez, hasta el ${until}`,
  copy: 'Copiar enlace',
  invitedUntil: (until: string) => `Con invitación hasta el ${until}`,
  renewedUntil: (until: string) => `Enlace para una contraseña nueva hasta el ${until}`,
  noPassword: 'Aún sin contraseña',
} as const satisfies Translated<typeof english>

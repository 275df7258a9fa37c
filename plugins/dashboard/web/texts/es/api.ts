import type { Translated } from '../../language/translated.ts'
import type { apiTexts as english } from '../api.ts'

export const apiTexts = {
  title: 'API',
  lead: 'Todas las peticiones que responde esta instancia, para leer y para probar.',
  open: 'Referencia de la API',
  back: 'Tokens de API',
  file: 'Archivo OpenAPI',
  token: 'Token de API',
  tokenHint: 'Se envía con las peticiones de esta página y se olvida al salir de ella.',
  make: 'Crear un token para una hora',
  tokenName: 'Referencia de la API',
  made: 'Token creado. Puede lo que pueden tus tokens, salvo administrar la instancia, y caduca en una hora.',
  search: 'Buscar peticiones',
  noneFound: 'Ninguna petición coincide.',
  body: 'Cuerpo',
  answers: 'Respuestas',
  columns: { name: 'Nombre', type: 'Tipo', about: 'Descripción' },
  required: 'obligatorio',
  real: 'Las peticiones de aquí son reales: cambian tus datos.',
  send: 'Enviar petición',
  elsewhere: 'Cómo enviarla desde otro lugar',
  copyCommand: 'Copiar comando',
  received: (status: string, ms: string) => `${status}, tras ${ms} ms`,
  receivedNothing: 'La respuesta no tiene cuerpo.',
  answer: 'Respuesta',
  unanswered: 'El servidor no respondió.',
} as const satisfies Translated<typeof english>

import type { Translated } from '../../language/translated.ts'
import type { apiTexts as english } from '../api.ts'

export const apiTexts = {
  title: 'API',
  lead: 'Alle Anfragen, die diese Instanz beantwortet, zum Lesen und Ausprobieren.',
  open: 'API-Referenz',
  back: 'API-Tokens',
  file: 'OpenAPI-Datei',
  token: 'API-Token',
  tokenHint: 'Geht mit den Anfragen auf dieser Seite mit und wird beim Verlassen vergessen.',
  make: 'Token für eine Stunde erstellen',
  tokenName: 'API-Referenz',
  made: 'Token erstellt. Es kann, was deine Tokens können, außer die Instanz zu verwalten, und läuft in einer Stunde ab.',
  search: 'Anfragen suchen',
  noneFound: 'Keine Anfrage passt.',
  body: 'Inhalt',
  answers: 'Antworten',
  columns: { name: 'Name', type: 'Typ', about: 'Beschreibung' },
  required: 'nötig',
  real: 'Die Anfragen hier sind echt: Sie ändern deine Daten.',
  send: 'Anfrage senden',
  elsewhere: 'Wie man sie von anderswo sendet',
  copyCommand: 'Befehl kopieren',
  received: (status: string, ms: string) => `${status}, nach ${ms} ms`,
  receivedNothing: 'Die Antwort hat keinen Inhalt.',
  answer: 'Antwort',
  unanswered: 'Der Server hat nicht geantwortet.',
} as const satisfies Translated<typeof english>

import type { Translated } from '../../language/translated.ts'
import type { oneTimeLinkTexts as english } from '../one-time-link.ts'

export const oneTimeLinkTexts = {
  title: 'Passwort wählen',
  heading: 'Neues Passwort wählen',
  lead: 'Danach bist du angemeldet und überall sonst abgemeldet. Deine API-Tokens enden.',
  welcome: (name: string | null) => (name ? `Willkommen, ${name}` : 'Willkommen bei Linnet'),
  welcomeLead: 'Wähle ein Passwort für dein Konto.',
  email: 'E-Mail-Adresse',
  password: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  submit: 'Speichern und anmelden',
  over: 'Dieser Link funktioniert nicht mehr',
  failed: 'Dieser Link lässt sich gerade nicht öffnen',
  signIn: 'Anmelden',

  invite: 'Einladungslink',
  renew: 'Link für ein neues Passwort',
  inviteHeading: (email: string) => `${email} einladen`,
  renewHeading: (email: string) => `Neues Passwort für ${email}`,
  inviteLead:
    'Wer den Link öffnet, wählt das Passwort dieses Kontos und ist angemeldet. Er funktioniert einmal, sieben Tage lang.',
  renewLead:
    'Wer den Link öffnet, wählt ein neues Passwort für dieses Konto und ist angemeldet; alle Sitzungen und API-Tokens des Kontos enden. Er funktioniert einmal, einen Tag lang. Bis dahin gilt das bisherige Passwort.',
  waiting: (until: string) => `Ein Link gilt noch bis ${until}. Ein weiterer ersetzt ihn.`,
  make: 'Link erstellen',
  mail: 'Link mailen',
  mailed: (email: string) => `Der Link ist unterwegs an ${email}.`,
  makeAgain: 'Neuen Link erstellen',
  revoke: 'Link widerrufen',
  revoked: 'Der Link funktioniert nicht mehr.',
  once: 'Gib diesen Link nur der Person, der das Konto gehört. Er wird nicht noch einmal gezeigt, lässt sich aber neu erstellen.',
  onceHeading: (until: string) => `Funktioniert einmal, bis ${until}`,
  copy: 'Link kopieren',
  invitedUntil: (until: string) => `Eingeladen bis ${until}`,
  renewedUntil: (until: string) => `Link für ein neues Passwort bis ${until}`,
  noPassword: 'Noch kein Passwort',
} as const satisfies Translated<typeof english>

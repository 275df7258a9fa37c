import type { Translated } from '../../language/translated.ts'
import type {
  settingsTexts as english,
  signInTexts as englishSignIn,
  toolsTexts as englishTools,
} from '../settings.ts'

export const settingsTexts = {
  title: 'Einstellungen',
  profile: 'Profil',
  profileLead:
    'Dein Name und deine Adresse. Nur du und die Admins dieser Instanz können sie sehen.',
  fullName: 'Name',
  email: 'E-Mail-Adresse',
  emailHint: 'Damit meldest du dich an.',
  isAdmin: 'Admin',
  plan: 'Tarif',
  planLead: (resets: string) =>
    `Was bisher genutzt ist. Monatliche Limits werden am ${resets} zurückgesetzt.`,
  usage: {
    links: 'In diesem Monat erstellte Links',
    visits: 'In diesem Monat gezählte Besuche',
  },
  usedOf: (used: string, max: string) => `${used} von ${max}`,
  usedUnlimited: (used: string) => `${used} · unbegrenzt`,
  usedUp: {
    links: 'In diesem Monat lassen sich keine weiteren Links erstellen.',
    visits:
      'Deine Links funktionieren weiter, aber in diesem Monat werden keine Besuche mehr gezählt.',
    things: (label: string) => `Das Limit deines Tarifs ist erreicht: ${label}.`,
  },
  included: 'Was der Tarif enthält',
  includes: (count: string, total: string) => `${count} von ${total}`,
  yes: 'Enthalten:',
  no: 'Nicht enthalten:',
  groups: {
    link: 'Links',
    organization: 'Organisation',
    analytics: 'Statistik',
    developer: 'Für Entwickler',
    other: 'Mehr',
  },
  appearance: 'Darstellung',
  appearanceLead: 'Nur in diesem Browser gespeichert.',
  shortcuts: 'Tastenkürzel',
  shortcutsHint:
    'Einzelne Tasten, die sofort etwas tun. Wer mit Spracheingabe arbeitet, schaltet sie besser aus.',
  keys: { '/': 'Links durchsuchen', c: 'Neuer Link', '?': 'Alle Kürzel anzeigen' },
  password: 'Passwort',
  passwordLead: 'Eine Änderung beendet alle anderen Sitzungen.',
  noPasswordLead: 'Es ist noch kein Passwort gesetzt. Mit einem kannst du dich hier anmelden.',
  currentPassword: 'Aktuelles Passwort',
  askedPassword: 'Passwort eingeben',
  askedPasswordLead:
    'Dieser Schritt braucht dein Passwort, falls gerade jemand anderes an deinem Browser sitzt.',
  askedPasswordSubmit: 'Weiter',
  wrongPassword: 'Das ist nicht dein aktuelles Passwort.',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 12 Zeichen.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert. Alle anderen Sitzungen sind beendet.',
  sessions: 'Sitzungen',
  sessionsLead: 'Wo du angemeldet bist. Linnet speichert nicht, mit welchen Browsern.',
  session: 'Sitzung',
  thisSession: 'Dieser Browser',
  signedIn: (when: string) => `Angemeldet ${when}`,
  lastSeen: (when: string) => `Zuletzt gesehen ${when}`,
  end: 'Beenden',
  endOf: (when: string) => `Sitzung von ${when} beenden`,
  ended: 'Sitzung beendet.',
  endOthers: 'Alle anderen Sitzungen beenden',
  othersEnded: 'Alle anderen Sitzungen sind beendet.',
  identities: 'Andere Wege zur Anmeldung',
  identitiesLead:
    'Anbieter, bei denen du bekannt bist. Deine Sitzungen bleiben beim Entfernen offen.',
  identityWhen: (since: string, last: string) => `Seit ${since} · Zuletzt verwendet ${last}`,
  removeIdentity: 'Entfernen',
  removeIdentityOf: (provider: string) => `Entfernen: ${provider}`,
  identityRemoved: 'Entfernt. Damit meldest du dich nicht mehr an.',
  delete: 'Konto löschen',
  deleteLead:
    'Das löscht dein Konto mit allen Links, Schlagwörtern, Kampagnen und Statistiken. Es lässt sich nicht rückgängig machen.',
  deleteStart: 'Konto löschen',
  deleteWarning:
    'Alle deine Kurz-URLs funktionieren sofort nicht mehr, auch schon gedruckte und verschickte.',
  deleteConfirm: (email: string) => `Zur Bestätigung ${email} eingeben`,
  deleteSubmit: 'Endgültig löschen',
  lastAdmin:
    'Dies ist das einzige Admin-Konto, und die Instanz braucht eines. Zuerst muss ein anderes Konto Admin werden.',
  lastAdminLink: 'Zu den Konten',
} as const satisfies Translated<typeof english>

export const toolsTexts = {
  heading: 'Von überall kürzen',
  lead: 'Einen Link zur gerade geöffneten Seite erstellen. Zuerst erscheint das Formular, dann entsteht der Link.',
  bookmark: 'Mit Linnet kürzen',
  drag: 'In die Lesezeichenleiste ziehen. Ein Klick darauf öffnet auf jeder Seite das ausgefüllte Formular.',
  notHere:
    'In die Lesezeichenleiste ziehen und dort anklicken, während die Seite offen ist, zu der ein Link entstehen soll.',
  byHand: 'Oder ein Lesezeichen mit dieser URL anlegen:',
  copy: 'Bookmarklet kopieren',
  phone:
    'Auf dem Smartphone diese Seite zum Startbildschirm hinzufügen. Wenn der Browser es unterstützt, lassen sich Seiten dann an Linnet teilen.',
} as const satisfies Translated<typeof englishTools>

export const signInTexts: Translated<typeof englishSignIn> = {
  with: (provider: string) => `Anmelden mit: ${provider}`,
  or: 'oder',
  noPasskeys:
    'Dieser Browser hat hier keine Passkeys. Sie brauchen https und einen Namen statt einer IP-Adresse.',
  passkeyNotUsed:
    'Es wurde kein Passkey benutzt. Versuch es noch einmal, oder nimm einen anderen Weg.',
  passkeyNotMade: 'Es wurde kein Passkey gemacht. Vielleicht hat dieses Gerät schon einen.',
  letters: 'Buchstaben auf der Tastatur zeigen',
  digits: 'Ziffern auf der Tastatur zeigen',
  instead: (label: string) => `Stattdessen: ${label}`,
  back: 'Von vorn beginnen',
  proveHeading: 'Noch einmal anmelden',
  proveLead:
    'Dieser Schritt braucht eine frische Anmeldung, falls jemand anderes deinen Browser benutzt. Danach geht es auf dieser Seite weiter. Was hier eingegeben wurde, geht verloren.',
  proveHere:
    'Dieser Schritt verlangt eine frische Anmeldung, falls jemand anderes deinen Browser benutzt.',
  signUp: 'Konto anlegen',
  mailLink: 'Passwort vergessen? Link per Mail schicken',
  linkMailed:
    'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs. Er gilt einen Tag.',
  adminsByPassword: 'Nur Admins melden sich mit Passwort an',
  problems: {
    domain_not_allowed: 'Mit deiner Adresse kann man sich hier nicht anmelden. Frag einen Admin.',
    group_not_allowed: 'Du bist in keiner Gruppe, die sich hier anmelden darf. Frag einen Admin.',
    not_proven:
      'Der andere Server hat nicht gefragt, wer du bist. Melde dich dort und hier ab und dann wieder an.',
    provider_refused: 'Der andere Server hat dich nicht angemeldet.',
    account_suspended: 'Dieses Konto ist gesperrt. Frage, wer diese Seite betreibt.',
    no_account:
      'Für dich gibt es hier kein Konto. Bitte einen Admin um eines, oder melde dich mit deinem Passwort an.',
    invalid_one_time_link:
      'Diese Einladung wurde benutzt oder widerrufen, oder sie ist abgelaufen. Bitte einen Admin um eine neue.',
    other_account: 'Dort hast du dich als jemand anderes angemeldet als hier.',
    sign_in_expired:
      'Die Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Versuche es noch einmal.',
    sign_in_failed: 'Die Anmeldung dort hat nicht geklappt. Versuche es später noch einmal.',
    second_step_unavailable:
      'Der zweite Schritt kann gerade nicht abgefragt werden. Versuche es später noch einmal, oder wende dich an den Betreiber.',
    unauthenticated: 'Deine Sitzung ist beendet. Melde dich zuerst an.',
  },
  otherProblem: (why: string) => `Die Anmeldung dort hat nicht geklappt: ${why}.`,
  methods: {
    pwd: 'Passwort',
    otp: 'Einmalcode',
    hwk: 'Sicherheitsschlüssel',
    swk: 'Passkey',
    sms: 'SMS',
    fed: 'anderer Server',
  },
  by: (methods: string) => `mit ${methods}`,
  provenAt: (when: string) => `bestätigt ${when}`,
}

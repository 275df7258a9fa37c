import type { Translated } from '../../language/translated.ts'
import type { tokensTexts as english, appsTexts as englishApps } from '../tokens.ts'

export const tokensTexts = {
  title: 'API-Tokens',
  lead: 'Schlüssel für Programme, die die API in deinem Namen nutzen.',
  list: 'Deine API-Tokens',
  create: 'Neues Token',
  edit: 'Token bearbeiten',
  submit: 'Token erstellen',
  name: 'Name',
  nameHint: 'Wer es nutzt, etwa „Newsletter-Skript“.',
  scopes: 'Rechte',
  everything: 'Alles',
  everythingHint:
    'Alles, was du jetzt und in künftigen Versionen kannst, auch das Konto ändern und löschen.',
  admin: 'Die Instanz verwalten',
  adminHint: 'Konten, Tarife, Plugins und Sicherungen. Nur für Admins.',
  profile: 'Dein Profil lesen',
  profileHint: 'Name, E-Mail-Adresse, Tarif und Nutzung.',
  read: 'Lesen',
  write: 'Schreiben',
  readOf: (what: string) => `${what} lesen`,
  writeOf: (what: string) => `${what} schreiben`,
  writeHint: 'Schreiben erlaubt Erstellen, Ändern und Löschen und schließt Lesen ein.',
  resources: {
    links: 'Links',
    tags: 'Schlagwörter',
    campaigns: 'Kampagnen',
    domains: 'Domains',
    analytics: 'Statistik',
    'api-tokens': 'API-Tokens',
    plugins: 'Plugins',
  },
  expires: 'Läuft ab',
  expiry: {
    '7': 'In 7 Tagen',
    '30': 'In 30 Tagen',
    '90': 'In 90 Tagen',
    '365': 'In 1 Jahr',
    never: 'Nie',
  },
  keepExpiry: (when: string) => `Unverändert: ${when}`,
  neverHint: 'Wer dieses Token in die Hand bekommt, kann es nutzen, bis du es widerrufst.',
  none: 'nie',
  expiresAt: (when: string) => `Läuft ab ${when}`,
  expiredAt: (when: string) => `Abgelaufen ${when}`,
  expiresNever: 'Läuft nie ab',
  used: (when: string) => `Zuletzt genutzt ${when}`,
  unused: 'Nie genutzt',
  made: (when: string) => `Erstellt ${when}`,
  madeHeading: 'Dein neues Token',
  onceHeading: 'Jetzt kopieren',
  once: 'Es lässt sich nicht noch einmal anzeigen. Wie ein Passwort aufbewahren.',
  token: 'Token',
  copyToken: 'Token kopieren',
  tryIt: 'In einem Terminal ausprobieren',
  copyCommand: 'Befehl kopieren',
  actionsOf: (name: string) => `Aktionen für ${name}`,
  revoke: 'Widerrufen',
  revoked: (name: string) => `${name} widerrufen.`,
  revokeHeading: (name: string) => `${name} widerrufen?`,
  revokeWarning:
    'Programme mit diesem Token verlieren sofort den Zugang. Das lässt sich nicht rückgängig machen.',
  barred:
    'API-Tokens sind in deinem Tarif nicht enthalten. Vorhandene funktionieren nicht und lassen sich widerrufen.',
  switchedOff:
    'API-Tokens sind derzeit für alle ausgeschaltet. Vorhandene funktionieren erst wieder, wenn sie eingeschaltet sind.',
  emptyHeading: 'Das erste API-Token erstellen',
  emptyLead:
    'Ein Programm kann alles, was hier möglich ist. Mit einem Token an der Stelle von lnt_… erstellt dieser Befehl einen Link:',
} as const satisfies Translated<typeof english>

export const appsTexts = {
  title: 'Apps',
  lead: 'Links aus anderen Programmen erstellen. Jeder Baustein hat die Adresse dieser Instanz; das Token darin erlaubt nur Links.',
  copyOf: (name: string) => `Für ${name} kopieren`,
  save: (file: string) => `${file} speichern`,
  makeFor: (name: string) => `Token für ${name} erstellen`,
  made: 'Das Token steht im Baustein. Wer die Seite verlässt, kann es nicht noch einmal sehen.',
  apps: {
    shareX: {
      name: 'ShareX',
      lead: 'Die Datei speichern und öffnen. ShareX nimmt sie zu den eigenen Uploadern und fragt, ob es URLs damit kürzen soll.',
    },
    shortcuts: {
      name: 'iOS-Kurzbefehle',
      lead: 'Einen Kurzbefehl anlegen, der beim Teilen erscheint und URLs empfängt. „Inhalte von URL abrufen“ mit dieser URL, Methode und diesem Header hinzufügen, dazu einen JSON-Body mit dem Text original_url. Danach „Wörterbuchwert abrufen“ für den Wert unten und „In die Zwischenablage kopieren“.',
    },
    raycast: {
      name: 'Raycast',
      lead: 'Die Datei im Ordner der Skriptbefehle speichern und ausführbar machen. Die Kurz-URL wird kopiert.',
    },
    homeAssistant: {
      name: 'Home Assistant',
      lead: 'In configuration.yaml einfügen. Die Aktion rest_command.shorten_url nimmt url und antwortet mit dem Link in content.data.shortUrl.',
    },
    n8n: {
      name: 'n8n',
      lead: 'Kopieren und in einen Workflow einfügen. Der Knoten kürzt die URL im Feld url und gibt den Link in data.shortUrl zurück.',
    },
    assistant: {
      name: 'KI-Assistenten',
      lead: 'Für Claude, Editoren und andere Programme, die das Model Context Protocol (MCP) sprechen: das hier zu deren Servern hinzufügen. Sie können Links erstellen, finden, ändern und zählen, und zeigen vor dem Löschen, was gelöscht würde.',
    },
    curl: { name: 'curl', lead: 'Im Terminal oder in einem Skript.' },
    bookmarklet: {
      name: 'Bookmarklet',
      lead: 'Ein Lesezeichen mit dieser Adresse anlegen. Es öffnet das Formular für einen neuen Link mit der Seite, die gerade offen ist, und braucht kein Token.',
    },
  },
} as const satisfies Translated<typeof englishApps>

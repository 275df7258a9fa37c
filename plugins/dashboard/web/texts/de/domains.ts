import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { domainsTexts as english } from '../domains.ts'

export const domainsTexts = {
  title: 'Domains',
  lead: 'Eigene Domains für deine Links, etwa go.example.org.',
  list: 'Deine Domains',
  create: 'Domain hinzufügen',
  submit: 'Domain hinzufügen',
  edit: 'Domain bearbeiten',
  editOf: (host: string) => `${host} bearbeiten`,
  host: 'Domainname',
  hostHint: 'Ohne https:// und ohne Pfad.',
  rootUrl: 'Startseite',
  rootUrlHint:
    'Wohin kommt, wer die Domain selbst öffnet. Leer lassen für eine Seite, die sagt, dass hier kein Link ist.',
  notFoundUrl: 'Seite für unbekannte Links',
  notFoundUrlHint:
    'Wohin kommt, wer einen Kurzcode öffnet, den es nicht gibt. Leer lassen für eine Seite, die das sagt.',
  added: (host: string) =>
    `${host} hinzugefügt. Jetzt fehlt noch der Nachweis, dass sie dir gehört.`,
  deleted: (host: string) => `${host} gelöscht.`,
  verified: 'Bestätigt',
  unverified: 'Nicht bestätigt',
  nowVerified: (host: string) => `${host} ist bestätigt. Links können jetzt darauf liegen.`,
  links: (count: number, shown: string) => plural(count, '1 Link', `${shown} Links`),
  leadsTo: (url: string) => `Startseite: ${url}`,
  notFoundTo: (url: string) => `Unbekannte Links: ${url}`,
  actionsOf: (host: string) => `Aktionen für ${host}`,
  proveHeading: 'Nachweisen, dass sie dir gehört',
  proveLead:
    'Einer der beiden Wege genügt. Ist die Domain bestätigt, kann der Eintrag oder die Datei wieder weg.',
  byDns: 'DNS-Eintrag',
  byDnsLead:
    'Diesen Eintrag beim DNS-Anbieter hinzufügen. Bis er sichtbar ist, kann eine Stunde vergehen.',
  type: 'Typ',
  recordName: 'Name',
  value: 'Wert',
  byFile: 'Datei',
  byFileLead:
    'Diesen Text in einer Datei auf dem Webserver der Domain ablegen. Das geht nur, solange die Domain noch nicht auf Linnet zeigt.',
  address: 'URL der Datei',
  content: 'Inhalt',
  copy: (what: string) => `${what} kopieren`,
  verify: 'Jetzt prüfen',
  pointHere:
    'Danach die Domain mit einem CNAME-, A- oder AAAA-Eintrag auf diesen Server zeigen lassen und ein TLS-Zertifikat dafür einrichten.',
  deleteHeading: (host: string) => `${host} löschen?`,
  deleteWarning: 'Links auf dieser Domain funktionieren dann nicht mehr.',
  inUse: (count: number, shown: string) =>
    plural(
      count,
      'Auf dieser Domain liegt ein Link. Er muss zuerst auf eine andere Domain verschoben oder gelöscht werden.',
      `Auf dieser Domain liegen ${shown} Links. Sie müssen zuerst auf eine andere Domain verschoben oder gelöscht werden.`,
    ),
  emptyHeading: 'Die eigene Domain verwenden',
  emptyLead:
    'Links auf der eigenen Domain zeigen, von wem sie kommen. Domain hinzufügen, mit einem DNS-Eintrag oder einer Datei bestätigen und dann beim Erstellen eines Links auswählen.',
} as const satisfies Translated<typeof english>

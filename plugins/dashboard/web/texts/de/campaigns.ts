import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { campaignsTexts as english } from '../campaigns.ts'

export const campaignsTexts = {
  title: 'Kampagnen',
  lead: 'Links, die einem Zweck dienen, mit gemeinsamer Statistik.',
  list: 'Deine Kampagnen',
  create: 'Neue Kampagne',
  edit: 'Kampagne bearbeiten',
  submit: 'Kampagne erstellen',
  name: 'Name',
  description: 'Beschreibung',
  startsAt: 'Beginn',
  endsAt: 'Ende',
  spanHint: 'Nur zur eigenen Übersicht. Links funktionieren auch davor und danach.',
  made: (name: string) => `Kampagne ${name} erstellt.`,
  deleted: (name: string) => `Kampagne ${name} gelöscht.`,
  states: { upcoming: 'Bevorstehend', running: 'Läuft', ended: 'Beendet' },
  from: (start: string) => `Ab ${start}`,
  until: (end: string) => `Bis ${end}`,
  span: (start: string, end: string) => `${start}\u00A0– ${end}`,
  links: (count: number, shown: string) => plural(count, '1 Link', `${shown} Links`),
  visits: (count: number, shown: string) => plural(count, '1 Besuch', `${shown} Besuche`),
  linksCount: 'Links',
  visitsCount: 'Besuche',
  perLink: 'Besuche pro Link',
  when: 'Zeitraum',
  always: 'Ohne Datum',
  actionsOf: (name: string) => `Aktionen für ${name}`,
  showLinks: 'Links anzeigen',
  analytics: 'Statistik',
  topLinks: 'Meistbesuchte Links',
  allLinks: 'Alle Links dieser Kampagne',
  noLinks:
    'In dieser Kampagne sind noch keine Links. Sie lässt sich beim Erstellen oder Bearbeiten eines Links wählen.',
  toLinks: 'Zu deinen Links',
  back: 'Alle Kampagnen',
  deleteHeading: (name: string) => `Die Kampagne ${name} löschen?`,
  deleteWarning: (count: number, shown: string) =>
    count === 0
      ? 'In dieser Kampagne ist kein Link.'
      : plural(
          count,
          'Ihr Link bleibt mit seiner Statistik, ist aber in keiner Kampagne mehr.',
          `Ihre ${shown} Links bleiben mit ihrer Statistik, sind aber in keiner Kampagne mehr.`,
        ),
  emptyHeading: 'Die erste Kampagne erstellen',
  emptyLead:
    'Eine Kampagne fasst die Links eines Zwecks zusammen, etwa einer Markteinführung oder einer Saison, und zeigt ihre gemeinsame Statistik.',
} as const satisfies Translated<typeof english>

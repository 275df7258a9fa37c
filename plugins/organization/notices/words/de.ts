import type { Words } from './sentences.ts'

export const de: Words = {
  kinds: {
    limits: 'Grenzen deines Tarifs',
    endingLinks: 'Links, die bald enden',
    blockedLinks: 'gesperrte Links',
    deadLinks: 'Links, deren Adressen nicht antworten',
    webhooks: 'abgeschaltete Webhooks',
    imports: 'beendete Importe',
    weekly: 'die Zahlen der Woche',
    others: 'Meldungen von Plugins',
  },
  because: (brand, about) => `${brand} schickt dir Mails über ${about}.`,
  end: 'Diese Mails beenden',
  choose: 'Auswählen, was du erfährst',
  more: n => (n === 1 ? 'Und ein weiterer Eintrag.' : `Und ${n} weitere Einträge.`),
  limits: {
    subject: isReached =>
      isReached
        ? 'Eine Grenze deines Tarifs ist erreicht'
        : 'Eine Grenze deines Tarifs ist fast erreicht',
    lead: 'So viel von dem, was dein Tarif enthält, ist verbraucht:',
    names: {
      maxLinksCreatedPerMonth: 'Neue Links in diesem Monat',
      maxTrackedVisitsPerMonth: 'Gezählte Besuche in diesem Monat',
      maxTags: 'Tags',
      maxCampaigns: 'Kampagnen',
    },
    used: (used, limit) => `${used} von ${limit}`,
    nextMonth: 'Am ersten Tag des nächsten Monats (UTC) wird neu gezählt.',
  },
  endingLinks: {
    subject: n => (n === 1 ? 'Ein Link endet bald' : `${n} Links enden bald`),
    lead: 'Danach kommen Besucher nicht weiter, wenn du kein anderes Ende wählst.',
    on: date => `Endet am ${date}`,
    left: n => (n === 1 ? 'Noch ein Besuch' : `Noch ${n} Besuche`),
  },
  blockedLinks: {
    subject: n => (n === 1 ? 'Ein Link ist gesperrt' : `${n} Links sind gesperrt`),
    lead: 'Die Adresse hat sich als schädlich erwiesen. Besucher sehen eine Seite, die das sagt.',
  },
  deadLinks: {
    subject: n =>
      n === 1
        ? 'Die Adresse eines Links antwortet nicht'
        : `Die Adressen von ${n} Links antworten nicht`,
    lead: 'Besucher werden weiterhin dorthin geschickt.',
  },
  leadsTo: address => `Führt zu ${address}`,
  webhooks: {
    subject: n => (n === 1 ? 'Ein Webhook ist abgeschaltet' : `${n} Webhooks sind abgeschaltet`),
    lead: 'Es wird nichts gesendet, bis du ihn wieder einschaltest. Was er verpasst, wird sieben Tage aufgehoben und kann dann gesendet werden.',
    failing: 'Er hat fünf Tage lang nichts angenommen.',
    gone: 'Er hat mit 410 geantwortet: Er will nichts mehr bekommen.',
    open: 'Webhooks öffnen',
  },
  imports: {
    subject: isDone => (isDone ? 'Ein Import ist fertig' : 'Ein Import wurde beendet'),
    from: source => `Von ${source}`,
    counts: (made, refused, visits) =>
      `Angelegte Links: ${made}; abgelehnt: ${refused}; Besuche: ${visits}`,
    open: 'Importe öffnen',
  },
  weekly: {
    subject: visits => `Deine Links in der letzten Woche: ${visits} Besuche`,
    lead: (visits, from, to) => `${visits} Besuche vom ${from} bis zum ${to}.`,
    change: percent =>
      percent === null
        ? 'In der Woche davor gab es keine.'
        : percent === 0
          ? 'So viele wie in der Woche davor.'
          : `${Math.abs(percent)} % ${percent > 0 ? 'mehr' : 'weniger'} als in der Woche davor.`,
    row: (visits, before) => `Besuche: ${visits}; in der Woche davor: ${before}`,
    open: 'Auswertungen öffnen',
  },
  others: { subject: n => `${n} Meldungen` },
  test: {
    subject: brand => `Ein Test von ${brand}`,
    lead: 'Was du erfahren möchtest, erreicht dich unter dieser Adresse.',
  },
  stop: {
    ask: about => `Keine Mails mehr über ${about}?`,
    asked: 'Du kannst sie in deinen Einstellungen wieder auswählen.',
    done: 'Du bekommst keine dieser Mails mehr',
    back: 'Einstellungen öffnen',
  },
}

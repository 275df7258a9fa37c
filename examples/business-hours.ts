import { definePlugin, page, refuse, text } from 'linnet/plugin'

const form = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

export default definePlugin({
  feature: 'custom.businessHours',
  label: 'Business hours',
  group: 'Link',
  about: 'Open a link on working days alone, between two times of day.',
  translations: {
    de: { 'Business hours': 'Geschäftszeiten', 'As 09:00-17:30.': 'Wie 09:00-17:30.' },
  },
  settings: {
    timeZone: text({ label: 'Time zone', hint: 'As Europe/Berlin.', default: 'UTC' }),
  },
  fields: {
    businessHours: text({ label: 'Business hours', hint: 'As 09:00-17:30.', pattern: form }),
  },
  // A wrong time zone is reported at the start, not at the first visit.
  setup: ({ settings: { timeZone } }) => clockIn(timeZone),
  guard({ businessHours }, { state: clock }) {
    if (!businessHours) return
    const [opens = '', closes = ''] = businessHours.split('-')
    const closed = refuse(
      'closed',
      {
        en: `This link is open from Monday to Friday, ${businessHours}.`,
        de: `Dieser Link ist von Montag bis Freitag offen, ${businessHours}.`,
      },
      403,
    )
    return ({ at }) => {
      const { day, time } = clock(at)
      const isOpen = day !== 'Sat' && day !== 'Sun' && opens <= time && time < closes
      return isOpen ? undefined : closed
    }
  },
  unstable: {
    // Visitors who find the link closed want to know when to come back, so no guard applies to this page.
    openViews: {
      async '~hours'({ link }, { links, settings: { timeZone } }) {
        const { businessHours } = await links.ownFields(link)
        const hours = businessHours ? `Monday to Friday, ${businessHours}` : 'Always'
        return page({
          heading: 'When this link is open',
          rows: [
            { label: 'Open', value: hours },
            { label: 'Time zone', value: timeZone },
          ],
          link: { label: 'Go there', url: links.shortUrl(link) },
        })
      },
    },
  },
})

/** Returns a function for the day and the time, such as Mon and 09:30. Throws if the time zone does not exist. */
function clockIn(timeZone: string): (at: Date) => { readonly day: string; readonly time: string } {
  if (!isTimeZone(timeZone)) throw new Error(`${timeZone} is not a time zone`)
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return at => {
    const parts = Object.fromEntries(
      clock.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    return { day: parts.weekday ?? '', time: `${parts.hour}:${parts.minute}` }
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-GB', { timeZone: name }))
  } catch {
    return false
  }
}

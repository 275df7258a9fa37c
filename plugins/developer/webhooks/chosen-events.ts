import { type Refusal, refuse, z } from '../../../core/plugin.ts'

/** Told once an hour, with the visits of each link. It is told of only by name, because it may be most of what is told. */
export const visitsCounted = 'visits.counted'

/** Told to all: some of what they hear of may be lost. */
export const eventsLost = 'events.lost'

const whats = ['created', 'updated', 'deleted', 'restored']

/** What a webhook may choose: everything, everything of a kind, or one thing that happens to a kind. */
export const eventsSchema = z
  .array(
    z
      .string()
      .max(100)
      .regex(/^(?:\*|[a-z][a-zA-Z]*\.(?:\*|[a-z]+))$/, {
        error: 'Must be *, a kind of things such as link.*, or an event such as link.created.',
      }),
  )
  .min(1)
  .max(50)
  .meta({
    description:
      'What it hears of: `*` for every change, a kind such as `link.*`, an event such as `link.created`, or `visits.counted` for the visits of each hour, which `*` does not include.',
    examples: [['link.*', 'visits.counted']],
  })

/** Refuses an event that nothing tells of. */
export function unknownEvent(
  events: readonly string[],
  kinds: readonly string[],
): Refusal | undefined {
  for (const [index, event] of events.entries()) {
    const [kind = '', what = ''] = event.split('.')
    const isKnown = kinds.includes(kind) && (what === '*' || whats.includes(what))
    if (event === '*' || event === visitsCounted || event === eventsLost || isKnown) continue
    const why = kinds.includes(kind)
      ? `Of ${kind} there are ${whats.map(it => `${kind}.${it}`).join(', ')}.`
      : `Kinds of things are ${[...kinds].sort().join(', ')}; and there is ${visitsCounted}.`
    const detail = `There is no event ${event}. ${why}`
    return refuse('validation_failed', detail, 422, `events[${index}]`)
  }
  return undefined
}

/** Whether a webhook that chose these hears of a type of event. */
export function hears(events: readonly string[], type: string): boolean {
  if (type === eventsLost) return true
  if (type === visitsCounted) return events.includes(type)
  const kind = type.slice(0, type.indexOf('.'))
  return events.some(it => it === '*' || it === type || it === `${kind}.*`)
}

/** The kinds of things that must be heard of for a webhook that chose these. */
export function kindsHeard(events: readonly string[]): readonly string[] {
  return events.map(it => (it === '*' ? it : it.slice(0, it.indexOf('.'))))
}

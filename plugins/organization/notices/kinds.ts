/** What accounts are told of by mail. */
export type KindName =
  | 'limits'
  | 'endingLinks'
  | 'blockedLinks'
  | 'deadLinks'
  | 'webhooks'
  | 'imports'
  | 'weekly'
  | 'others'

/**
 * When a mail goes. `soon`: in minutes, by day. `asked`: in minutes, also at night, because somebody waits for it. `daily`: in the
 * morning. `weekly`: on Monday morning.
 */
export type Timing = 'soon' | 'asked' | 'daily' | 'weekly'

interface Kind {
  readonly timing: Timing
  /** Whether accounts are told that have chosen nothing. */
  readonly isOn: boolean
}

export const kinds: Readonly<Record<KindName, Kind>> = {
  limits: { timing: 'soon', isOn: true },
  endingLinks: { timing: 'daily', isOn: true },
  blockedLinks: { timing: 'soon', isOn: true },
  deadLinks: { timing: 'daily', isOn: true },
  webhooks: { timing: 'soon', isOn: true },
  imports: { timing: 'asked', isOn: true },
  weekly: { timing: 'weekly', isOn: false },
  others: { timing: 'soon', isOn: true },
}

export const kindNames = Object.keys(kinds) as readonly KindName[]

export function isKind(name: unknown): name is KindName {
  return typeof name === 'string' && Object.hasOwn(kinds, name)
}

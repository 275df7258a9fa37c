import type { KindName } from '../kinds.ts'

/** What mails say, in one language. `n` is a count, and other values are written already. */
export interface Words {
  /** What mails of each kind are about, after "about" of `because`. */
  readonly kinds: Readonly<Record<KindName, string>>
  because(brand: string, about: string): string
  readonly end: string
  readonly choose: string
  /** For those that a mail does not show. */
  more(n: number): string
  readonly limits: {
    subject(isReached: boolean): string
    readonly lead: string
    /** Of limits that other plugins bring, mails say the label. */
    readonly names: Readonly<Record<LimitName, string>>
    used(used: string, limit: string): string
    /** Of what is counted anew every month. */
    readonly nextMonth: string
  }
  readonly endingLinks: {
    subject(n: number): string
    readonly lead: string
    on(date: string): string
    left(n: number): string
  }
  readonly blockedLinks: { subject(n: number): string; readonly lead: string }
  readonly deadLinks: { subject(n: number): string; readonly lead: string }
  leadsTo(address: string): string
  readonly webhooks: {
    subject(n: number): string
    readonly lead: string
    readonly failing: string
    readonly gone: string
    readonly open: string
  }
  readonly imports: {
    subject(isDone: boolean): string
    from(source: string): string
    counts(made: number, refused: number, visits: number): string
    readonly open: string
  }
  readonly weekly: {
    subject(visits: string): string
    lead(visits: string, from: string, to: string): string
    change(percent: number | null): string
    row(visits: string, before: string): string
    readonly open: string
  }
  readonly others: { subject(n: number): string }
  readonly test: { subject(brand: string): string; readonly lead: string }
  readonly stop: {
    ask(about: string): string
    readonly asked: string
    readonly done: string
    readonly back: string
  }
}

/** The limits that come with Linnet. */
export type LimitName =
  | 'maxLinksCreatedPerMonth'
  | 'maxTrackedVisitsPerMonth'
  | 'maxTags'
  | 'maxCampaigns'

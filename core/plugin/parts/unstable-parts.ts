import type { Language } from '../answers/language.ts'
import type { Page } from '../answers/page.ts'
import type { Command } from '../commands/command.ts'
import type { Context } from '../context.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import type { Fields } from '../fields.ts'
import type { AddressedMail, AddressedNotice } from '../messages.ts'
import type { Follow, Later, Redirect, Refusal } from '../outcomes.ts'
import type { Tables } from '../plugin-tables.ts'
import type { PasswordRule, Provider } from '../sign-in/provider.ts'
import type { Step } from '../sign-in/step.ts'
import type { CustomHost } from '../unstable.ts'
import type { CountedVisit, SavedLink, UnknownVisit, Visit } from '../visit.ts'
import type { HandedOver } from '../write-links.ts'

/**
 * Parts of a plugin that one or two plugins have tried so far. They may change with any version of Linnet.
 *
 * @example
 * unstable: { totals: { botVisits: 'botVisits' } },
 */
export interface UnstableParts<S extends Fields = Fields, T = unknown, D = Tables> {
  /**
   * The links that stay closed while the plugin is off are those that have a value of one of its fields or, if it has no
   * fields, all that are saved while it is on; and those for which it called `markGuarded`. With `marked`, only the latter.
   */
  readonly guards?: 'marked'
  /** Set this if the plugin calls `context.unstable.measure()`. Answers are counted only while such a plugin is on. */
  readonly measures?: true
  /**
   * Numbers that links show beside `visits.total`. Maps the name of each number to one of the plugin's own dimensions
   * with the chart `number`, whose all-time count is shown.
   */
  readonly totals?: Readonly<Record<string, string>>
  /** Those of its fields that accounts may give too whose plan does not include the plugin: its `prepare` decides. */
  readonly openFields?: readonly string[]
  /**
   * Those of its fields of which no two links of an account have the same value, each with a filter of the same name. A
   * request can name a link by it: `moodNumber` adds `GET`, `PUT` and `DELETE /links/by-mood-number/:id`. Refuse a value that
   * another link has in `save`.
   */
  readonly keys?: readonly string[]
  /**
   * The custom hosts on which links are followed, besides the host of the base URL. Runs at the start and after each
   * request that changes something through an endpoint of this plugin. Time limit: 5 s.
   */
  hosts?(context: Context<S, T, D>): Later<readonly CustomHost[]>
  /**
   * Like `views`, but without the guards, so that everybody sees the page. It must not show what guards protect, such
   * as where the link leads.
   */
  readonly openViews?: Readonly<
    Record<string, (visit: Visit, context: Context<S, T, D>) => Later<Page | Redirect | Refusal>>
  >
  /**
   * Answers GET, HEAD and POST of a path that leads to no link; undefined leaves it to the next plugin, and in the end to
   * the page with 404. A `follow` that finds no link answers nothing either. Time limit: 2 s; if it fails, the next one
   * is asked.
   */
  unknown?(
    visit: UnknownVisit,
    context: Context<S, T, D>,
  ): Later<Follow | Page | Redirect | Refusal | undefined>
  /**
   * Whether a visit is counted. Runs after the visitor has the response, for visits that would be counted, robots and
   * visitors who ask not to be tracked included. False leaves the visit out of all numbers, and no other plugin is asked.
   * It cannot be async. If it fails, the visit is counted.
   */
  counts?(visit: CountedVisit, context: Context<S, T, D>): boolean
  /** Set this if `counts` reads `byOwner`. Linnet looks up who is signed in only while such a plugin is on. */
  readonly seesOwner?: true
  /**
   * Hears of visits that links of an account bring from elsewhere, for plugins that count visits in tables of their own.
   * `context.db` is the transaction that adds them: await nothing but the database. Time limit: 5 s; if it fails, nothing is
   * brought.
   */
  brought?(
    added: readonly { readonly link: SavedLink; readonly visits: number }[],
    context: Context<S, T, D>,
  ): Later<void>
  /**
   * Gives what the plugin keeps of an account to another: of some links, or all that goes with its links. `context.db` is the
   * transaction that gives the links and, if the account is to be deleted, deletes it: await nothing but the database. A refusal, such as
   * of what the other account has by the same name, undoes all of it. Time limit: 30 s; if it fails, nothing is handed over.
   */
  handOver?(what: HandedOver, context: Context<S, T, D>): Later<Refusal | undefined>
  /**
   * Sends mail for all plugins, if no plugin before this one does. A refusal says why a message cannot be sent, such as an
   * address that the server does not take; throw if sending fails. Time limit: 30 s.
   */
  mail?(mail: AddressedMail, context: Context<S, T, D>): Later<Refusal | undefined>
  /**
   * Delivers a notice of any plugin, such as to a chat. True if people will get it; false if it is not for whom this plugin
   * reaches. A refusal says why it cannot be delivered, and counts as a failure, as an error does: the log and health name it.
   * Time limit: 30 s.
   */
  notice?(notice: AddressedNotice, context: Context<S, T, D>): Later<boolean | Refusal>
  /**
   * What is wrong around the plugin, which `linnet doctor` and the page Health show: an empty list if nothing is. Time limit:
   * 5 s; if it fails, they say so.
   */
  examine?(context: Context<S, T, D>): Later<readonly PluginFinding[]>
  /** The kinds of things that it tells of by `context.unstable.tell`, such as `note`. Those of its collections need not be named. */
  readonly tells?: readonly string[]
  /**
   * The plugin hears of those kinds alone that it named last with `context.unstable.hear`, in place of those in `events`. Nothing is
   * written for it of others. Name them in `setup`, too: those that were named are forgotten while the plugin is off.
   */
  readonly hears?: 'chosen'
  /**
   * The setting by which admins choose how much of the IP address of a client its `events` have, as `actor.address`: `whole`, or
   * `network` for its /24 (of IPv6 its /48); nothing with any other value. No events of other plugins have it.
   */
  readonly clientAddresses?: string
  /** Commands for operators, by name: `import-moods` is `linnet run import-moods`. Make each with `command`. */
  readonly commands?: Readonly<Record<string, Command>>
  /** Other servers where people can sign in, by name. */
  readonly providers?: Readonly<Record<string, Provider<S, T, D>>>
  /**
   * Who may sign in by password; of several plugins the strictest counts. It cannot be async; if it fails, nobody may. One-time
   * links and API tokens work on. While the plugin is off, everybody may.
   */
  passwords?(context: Context<S, T, D>): PasswordRule
  /** Questions that some accounts must answer after the password, by name and in this order. */
  readonly steps?: Readonly<Record<string, Step<S, T, D>>>
  /** The path of its mount where visitors make accounts, such as `join`: the page where people sign in leads there. */
  readonly newAccounts?: string
  /** What the dashboard shows for the plugin: values and filters of links, and panels. */
  readonly dashboard?: Dashboard
  /** Languages that it brings for visitors' pages and the dashboard, by name, such as `it` or `pt-BR`. */
  readonly languages?: Readonly<Record<string, Language>>
}

/**
 * Something that a plugin found wrong, for the doctor.
 *
 * @example
 * { status: 'warning', says: 'The key ends tomorrow.', remedy: 'Set LINNET_MOODS_KEY to a new one.' }
 */
export interface PluginFinding {
  /** A warning can wait until tomorrow. */
  readonly status: 'warning' | 'problem'
  /** What was found, as sentences. */
  readonly says: string
  /** What to do. */
  readonly remedy: string
}

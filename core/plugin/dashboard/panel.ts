import type { Fields } from '../fields.ts'
import type { ShownFilter, ShownValue, ShownWord } from './shown-value.ts'

/**
 * A part of a page of the dashboard: what an endpoint of the plugin answers, a form, and buttons that call endpoints of the
 * plugin. They are called as the person who is signed in, so scopes, plans and limits apply. If one fails, the panel says
 * so, and the rest of the page works.
 *
 * @example
 * linkPanel: {
 *   title: 'Mood',
 *   from: 'GET /links/:link/mood',
 *   rows: { mood: { label: 'Mood' }, changedAt: { label: 'Changed', as: 'date' } },
 *   buttons: [{ label: 'Forget', call: 'DELETE /links/:link/mood' }],
 * }
 */
export interface Panel {
  readonly title: string
  /** What it is for. */
  readonly lead?: string
  /** The endpoint whose answer is shown. If it answers 404, there is nothing to show yet. */
  readonly from?: `GET /${string}`
  /** Members of `data` in the answer, by name. */
  readonly rows?: Readonly<Record<string, ShownValue>>
  /** If `data` is a list: its entries. A list with `pageQuery` is read on by a button. */
  readonly table?: PanelTable
  /** If `data` is a list: a number of each entry. */
  readonly chart?: PanelChart
  readonly form?: PanelForm
  readonly buttons?: readonly PanelButton[]
  /** The panel is there only while `data` is so. */
  readonly when?: ShownWhen
}

/**
 * What members of `data` have to be, all of them. Null is also what they are while there is no `data`.
 *
 * @example
 * when: { isOn: false }
 */
export type ShownWhen = Readonly<Record<string, string | number | boolean | null>>

/**
 * A list, one entry in each row.
 *
 * @example
 * table: { columns: { mood: { label: 'Mood' } }, buttons: [{ label: 'Delete', call: 'DELETE /moods/:id' }] }
 */
export interface PanelTable {
  /** Members of the entries, by name. */
  readonly columns: Readonly<Record<string, ShownValue>>
  /** Above it: parameters of the query of `from`, by name, with the values to choose from. */
  readonly filters?: Readonly<Record<string, ShownFilter>>
  /** Changes an entry by `PATCH`, in a dialog that starts with its members. They are the parameters of the endpoint, too. */
  readonly edit?: PanelForm
  /** The actions for an entry. The parameters of their endpoints, and what `when` asks for, are members of the entry. */
  readonly buttons?: readonly PanelButton[]
}

/**
 * A number of each entry of a list.
 *
 * @example
 * chart: { kind: 'bars', label: 'mood', value: 'links' }
 */
export interface PanelChart {
  /** `bars`: to compare entries. `line`: a value that changes from one to the next, such as from day to day. */
  readonly kind: 'bars' | 'line'
  /** The member that tells entries apart. */
  readonly label: string
  /** What the labels are called, by value. */
  readonly words?: Readonly<Record<string, ShownWord>>
  /** The member that is the number, not below 0. */
  readonly value: string
}

/**
 * A page of a plugin in the dashboard.
 *
 * @example
 * page: { label: 'Moods', panels: [{ title: 'All moods', from: 'GET /moods', table: { columns } }] }
 */
export interface PanelPage {
  /** Its heading, and its name in the menu. */
  readonly label: string
  /** Default: `puzzle`. */
  readonly icon?: 'chart' | 'gear' | 'globe' | 'key' | 'link' | 'megaphone' | 'puzzle'
  /** What it is for. */
  readonly lead?: string
  /** From top to bottom. */
  readonly panels: readonly Panel[]
}

/**
 * A form whose values are the body of a request.
 *
 * @example
 * form: { call: 'POST /moods', fields: { mood: choice(['calm', 'glad'], { label: 'Mood' }) }, submit: 'Add' }
 */
export interface PanelForm {
  /**
   * The endpoint of the plugin that the values are sent to. With `POST` the form is empty at first, and what stays empty is
   * not sent. With `PATCH` it starts with the members of `data` in the answer of `from`.
   */
  readonly call: `POST /${string}` | `PATCH /${string}`
  /** The inputs, by member of the body. */
  readonly fields: Fields
  /** The label of the button that sends it. */
  readonly submit: string
  /** Members of `data` in the answer that are shown this once, to be copied, until somebody closes the dialog. */
  readonly show?: Readonly<Record<string, ShownValue>>
  /** It is there only while `data` in the answer of `from` is so. */
  readonly when?: ShownWhen
}

/**
 * A button that calls an endpoint of the plugin, without a body, or downloads the file that one with `GET` answers.
 *
 * @example
 * { label: 'Forget all', call: 'DELETE /moods', confirm: 'No link has a mood any more.' }
 */
export interface PanelButton {
  readonly label: string
  readonly call: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`
  /** What will happen, to be confirmed before. */
  readonly confirm?: string
  /**
   * Has the browser make a passkey (WebAuthn) from `data.options` in the answer, as JSON in a text, and sends it to this endpoint as
   * `passkey`, in the same way. What is shown is the answer of that.
   */
  readonly passkey?: `POST /${string}`
  /** What is said afterwards. Default: `Done`, in the language of the reader. */
  readonly done?: string
  /** Members of `data` in the answer that are shown this once, to be copied, until somebody closes the dialog. */
  readonly show?: Readonly<Record<string, ShownValue>>
  /** It is there only while `data` in the answer of `from`, or the entry of a table, is so. */
  readonly when?: ShownWhen
}

import type { Fields } from '../fields.ts'
import type { ShownValue } from './shown-value.ts'

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
  readonly form?: PanelForm
  readonly buttons?: readonly PanelButton[]
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
}

/**
 * A button that calls an endpoint of the plugin, without a body.
 *
 * @example
 * { label: 'Forget all', call: 'DELETE /moods', confirm: 'No link has a mood any more.' }
 */
export interface PanelButton {
  readonly label: string
  readonly call: `POST /${string}` | `PATCH /${string}` | `DELETE /${string}`
  /** What will happen, to be confirmed before. */
  readonly confirm?: string
  /** What is said afterwards. Default: `Done`, in the language of the reader. */
  readonly done?: string
}

import type { Json } from '../../../core/plugin.ts'

/** A thing as events and the API show it. */
export type Shown = Readonly<Record<string, Json>>

export function isObject(json: Json | undefined): json is Shown {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

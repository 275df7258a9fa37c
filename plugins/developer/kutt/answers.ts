import {
  type Called,
  type File,
  file,
  type Refusal,
  refusalOf,
  refuse,
} from '../../../core/plugin.ts'

/** What answers an address: a file, or what the API refused, which is written as Kutt does. */
export type Said = File | Refusal

export function json(data: unknown, status = 200): File {
  return file('application/json', JSON.stringify(data), 0, status)
}

/** An error of Kutt, which is a sentence. */
export function failure(status: number, error: string): File {
  return json({ error }, status)
}

/** A refusal of Linnet as an error of Kutt, which calls all that is wrong in a body 400. */
export function failureOf({ code, detail, status }: Refusal): File {
  if (code === 'short_code_taken') return failure(400, 'Custom URL is already in use.')
  if (code === 'unauthenticated')
    return failure(401, 'Unauthorized. Send an API key in the header X-API-KEY.')
  return failure(status === 409 || status === 422 ? 400 : status, detail)
}

/** What Kutt calls the fields of links. */
const names: Readonly<Record<string, string>> = {
  original_url: 'target',
  short_code: 'customurl',
  notes: 'description',
  expires_at: 'expire_in',
  host: 'address',
  root_url: 'homepage',
}

/** What the API refused; it begins with what Kutt calls the field that is wrong. */
export function refusedBy(called: Called): Refusal {
  const refusal = refusalOf(called)
  const { code, detail, status, field } = refusal
  if (field === undefined || status !== 422) return refusal
  const name = field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return refuse(code, `${names[name] ?? field}: ${detail}`, status)
}

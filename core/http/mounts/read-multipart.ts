import type { File } from 'node:buffer'
import { MIMEType } from 'node:util'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Upload } from '../../plugin.ts'

/** What a form says: its fields, and its files in their order. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly uploads: readonly Upload[]
}

/** The most fields, files included: more is a mistake, or meant to keep us busy. */
const maxFields = 1_000

/** The most bytes before the content of a part: the names of the field and of the file, and its type. */
const maxHeadBytes = 2_048

const tooManyFields = refuse(
  'payload_too_large',
  `The form has more than ${maxFields} fields.`,
  413,
)

const malformed = refuse(
  'malformed_form',
  'The body is not a valid form, as multipart/form-data is.',
  400,
)

/**
 * Reads a `multipart/form-data` body of this content type, as `fetch` reads such an answer: from the bytes, without streams,
 * which may wait for each other for ever.
 */
export async function readMultipart(type: string, bytes: Buffer): Promise<Form | Refusal> {
  const refused = mistakeIn(type, bytes)
  if (refused) return refused
  const form = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  if (!form) return malformed
  const fields: [string, string][] = []
  const uploads: Upload[] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') fields.push([field, value])
    else uploads.push({ field, ...(await readFile(value)) })
  }
  return { fields: Object.fromEntries(fields), uploads }
}

/** What would take long to read, in a form: many parts, and long heads of parts. */
function mistakeIn(type: string, bytes: Buffer): Refusal | undefined {
  const boundary = `--${boundaryOf(type)}`
  let parts = -1
  for (let at = bytes.indexOf(boundary); at !== -1; at = bytes.indexOf(`\r\n${boundary}`, at + 1)) {
    parts += 1
    if (parts > maxFields) return tooManyFields
    const head = bytes.subarray(at, at + maxHeadBytes)
    if (head.length === maxHeadBytes && !head.includes('\r\n\r\n')) return malformed
  }
  return undefined
}

function boundaryOf(type: string): string | null {
  try {
    return new MIMEType(type).params.get('boundary')
  } catch {
    return null
  }
}

/** Without the folders of the visitor's machine, which some programs put before the name. */
async function readFile(file: File): Promise<Omit<Upload, 'field'>> {
  const name = file.name.replace(/^.*[/\\]/, '')
  return { name, type: file.type, content: Buffer.from(await file.arrayBuffer()) }
}

/** The fields of a form that is one text. */
export function readFields(text: string): Readonly<Record<string, string>> | Refusal {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count += 1
  return count > maxFields ? tooManyFields : Object.fromEntries(new URLSearchParams(text))
}

import type { BusboyFileStream } from '@fastify/busboy'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Upload } from '../../plugin.ts'

/** What a form says: its fields, and its files in their order. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly uploads: readonly Upload[]
}

/** The most fields, files included: more is a mistake, or meant to keep us busy. */
const maxFields = 1_000

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

/** Reads a `multipart/form-data` body of this content type. */
export async function readMultipart(type: string, bytes: Buffer): Promise<Form | Refusal> {
  const form = await openForm(type, bytes.length)
  if (!form) return malformed
  return new Promise(resolve => {
    const fields: [string, string][] = []
    const uploads: Promise<Upload>[] = []
    form.on('field', (name, value) => fields.push([`${name}`, value]))
    form.on('file', (field, stream, name, _, type) => {
      uploads.push(
        contentOf(stream).then(content => ({
          field: `${field}`,
          name: `${name ?? ''}`,
          type,
          content,
        })),
      )
    })
    form.on('error', () => resolve(malformed))
    form.on('finish', async () => {
      if (fields.length + uploads.length > maxFields) return resolve(tooManyFields)
      resolve({ fields: Object.fromEntries(fields), uploads: await Promise.all(uploads) })
    })
    form.end(bytes)
  })
}

/** Undefined if the content type names no boundary. */
async function openForm(type: string, fieldSize: number) {
  // Few instances have a mount for it.
  const { default: Busboy } = await import('@fastify/busboy')
  try {
    // One part more than may be: only that shows that there are too many.
    const limits = { parts: maxFields + 1, fieldSize, headerPairs: 100 }
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch {
    return undefined
  }
}

function contentOf(stream: BusboyFileStream): Promise<Buffer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    stream.on('data', chunk => chunks.push(chunk))
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    // The form fails as a whole.
    stream.on('error', () => undefined)
  })
}

/** The fields of a form that is one text. */
export function readFields(text: string): Readonly<Record<string, string>> | Refusal {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count += 1
  return count > maxFields ? tooManyFields : Object.fromEntries(new URLSearchParams(text))
}

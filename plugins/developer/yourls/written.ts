import { type File, file, type MountAsked, type Refusal } from '../../../core/plugin.ts'
import type { Said } from './said.ts'

/** A name of a function, perhaps within objects. Anything else would be a script of a stranger. */
const callbackName = /^(?=.{1,100}$)[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/

/** Writes an answer in the format that was asked for. */
export function written(
  { status, simple, body }: Said,
  { input: { format = 'xml', callback = '' } }: Pick<MountAsked, 'input'>,
): File {
  if (format === 'json') return file('application/json', JSON.stringify(body), 0, status)
  if (format === 'jsonp') {
    return callbackName.test(callback)
      ? file(script, `/**/${callback}(${JSON.stringify({ ...body, callback })})`, 0, status)
      : file(plain, 'The parameter callback must be the name of a function.', 0, 400)
  }
  if (format === 'xml') {
    return file('application/xml', `${xmlHead}<root>${xmlOf(body)}</root>\n`, 0, status)
  }
  // Of any format that it does not know, such as JSON in capitals, YOURLS makes the simple one.
  return file(plain, simple, 0, status)
}

const plain = 'text/plain; charset=utf-8'
const script = 'application/javascript'
const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'

function xmlOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escaped(`${value ?? ''}`)
  // Each member of a list has the name of the list.
  return Object.entries(value)
    .flatMap(([name, part]) => [part].flat().map(it => `<${name}>${xmlOf(it)}</${name}>`))
    .join('')
}

/** XML has no place at all for most control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, letter => (/[\t\n\r]/.test(letter) ? letter : ''))
    .replace(/[<>&"']/g, letter => `&#${letter.charCodeAt(0)};`)
}

/** What YOURLS calls refusals of Linnet. */
const names: Readonly<Record<string, string>> = {
  short_code_taken: 'error:keyword',
  unavailable: 'error:concurrency',
  internal: 'error:db',
}

/** YOURLS asks to log in with 403, and knows no finer words for what is wrong than 400. */
export function failed({ code, detail, status }: Refusal): Said {
  if (status === 401) return mustLogIn
  const shown = status === 409 || status === 422 ? 400 : status
  return failedWith(names[code] ?? `error:${code}`, detail, shown)
}

/** A failure with the words of YOURLS. */
export function failedWith(code: string, message: string, status = 400): Said {
  const [statusCode, errorCode] = [`${status}`, `${status}`]
  return { status, simple: message, body: { status: 'fail', code, message, statusCode, errorCode } }
}

const mustLogIn: Said = {
  status: 403,
  simple: 'Please log in',
  body: { message: 'Please log in', errorCode: '403', statusCode: '403' },
}

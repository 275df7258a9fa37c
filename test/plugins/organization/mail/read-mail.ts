/** What a mail says, as a mail program reads it (RFC 2045 to 2047). */
export interface ReadMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export function readMail(message: string): ReadMail {
  const { headers, body } = split(message)
  const boundary = headers['content-type']?.match(/boundary="([^"]+)"/)?.[1]
  const parts = boundary === undefined ? [message] : body.split(`--${boundary}`).slice(1, -1)
  const [text = '', html = ''] = parts.map(part =>
    decode(split(part.trimStart())).replaceAll('\r\n', '\n'),
  )
  return { subject: words(headers.subject ?? ''), text, html, headers }
}

function split(part: string) {
  const end = part.indexOf('\r\n\r\n')
  const lines = part
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const entries = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)] as const
  })
  const headers: Record<string, string> = Object.fromEntries(entries)
  return { headers, body: part.slice(end + 4) }
}

function decode({ headers, body }: ReturnType<typeof split>): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  return unquoted(body.replace(/=\r\n/g, ''))
}

function unquoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

function words(text: string): string {
  const joined = text.replace(/\?= +=\?/g, '?==?')
  return joined.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/g, (_, kind, word) =>
    kind === 'B' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
  )
}

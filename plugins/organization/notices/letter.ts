/** What a mail says, before it is written as text or HTML. */
export interface Letter {
  readonly subject: string
  readonly lead: string
  readonly rows?: readonly Row[]
  /** Below the rows. */
  readonly after?: string | undefined
  readonly button?: Button | undefined
}

interface Row {
  readonly title: string
  readonly details: readonly string[]
  readonly url?: string | undefined
}

interface Button {
  readonly label: string
  readonly url: string
}

/** Who sends it, why, and how it ends. */
export interface Frame {
  readonly brand: string
  readonly language: string
  readonly accent: string
  readonly because: string
  readonly links: readonly Button[]
}

/** As plain text. */
export function asText({ lead, rows = [], after, button }: Letter, frame: Frame): string {
  const list = rows.map(({ title, details, url }) =>
    [title, ...details, url].filter(line => line !== undefined).join('\n'),
  )
  const parts = [lead, ...list, after, button && `${button.label}: ${button.url}`]
  const foot = [frame.because, ...frame.links.map(({ label, url }) => `${label}: ${url}`)]
  return `${parts.filter(Boolean).join('\n\n')}\n\n-- \n${foot.join('\n')}\n`
}

/** As HTML that loads nothing: neither pictures nor styles, which would tell who opens it. */
export function asHtml({ subject, lead, rows = [], after, button }: Letter, frame: Frame): string {
  const list = rows.map(({ title, details, url }) => {
    const head = url === undefined ? escaped(title) : anchor(url, title, `color:${frame.accent}`)
    const lines = details.map(line => `<br><span style="color:#5c5c66">${escaped(line)}</span>`)
    return `<p style="margin:0 0 14px"><strong>${head}</strong>${lines.join('')}</p>`
  })
  const go =
    button &&
    `<p style="margin:22px 0">${anchor(button.url, button.label, `color:${frame.accent}`)}</p>`
  const foot = frame.links.map(({ label, url }) => anchor(url, label, 'color:#5c5c66')).join(' · ')
  return `<!doctype html>
<html lang="${frame.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0 0 18px;color:#5c5c66">${escaped(frame.brand)}</p>
<h1 style="margin:0 0 12px;font-size:20px">${escaped(subject)}</h1>
${[...paragraphs(lead), ...list, ...paragraphs(after), go].filter(Boolean).join('\n')}
<hr style="border:0;border-top:1px solid #d8d8de;margin:24px 0 12px">
<p style="margin:0;font-size:13px;color:#5c5c66">${escaped(frame.because)}<br>${foot}</p>
</div>
</body>
</html>
`
}

function paragraphs(text = ''): readonly string[] {
  if (text === '') return []
  return text.split('\n\n').map(it => `<p>${escaped(it).replaceAll('\n', '<br>')}</p>`)
}

function anchor(url: string, label: string, style: string): string {
  return `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`
}

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, mark => marks[mark] ?? '')
}

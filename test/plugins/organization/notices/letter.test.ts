import { describe, expect, it } from 'vitest'
import { asHtml, asText } from '../../../../plugins/organization/notices/letter.ts'
import { languageNames } from '../../../../plugins/organization/notices/settings.ts'
import { words } from '../../../../plugins/organization/notices/words.ts'

const frame = {
  brand: 'Acme <&> "Co"',
  language: 'en',
  accent: '#123456',
  because: 'Because.',
  links: [{ label: 'End', url: 'https://go.example.org/end?of=a&b="c' }],
}

describe('a letter', () => {
  it('shows words of others as words, in HTML as in text', () => {
    const title = '<img src=x onerror=alert(1)>'
    const letter = { subject: title, lead: `Lead ${title}`, rows: [{ title, details: [title] }] }
    const html = asHtml(letter, frame)
    expect(html).not.toContain('<img')
    expect(html).toContain('Acme &lt;&amp;&gt; &quot;Co&quot;')
    expect(html).toContain('href="https://go.example.org/end?of=a&amp;b=&quot;c"')
    expect(asText(letter, frame)).toContain(`Lead ${title}\n\n${title}\n${title}\n\n-- \nBecause.`)
  })

  it.each(languageNames)('says one and many in %s, without a gap', language => {
    const w = words[language]
    const said = [1, 2].flatMap(n => [
      w.more(n),
      w.endingLinks.subject(n),
      w.endingLinks.left(n),
      w.blockedLinks.subject(n),
      w.deadLinks.subject(n),
      w.webhooks.subject(n),
    ])
    expect(new Set(said).size).toBe(12)
    const changes = [null, 0, 5, -5].map(percent => w.weekly.change(percent))
    expect(new Set(changes).size).toBe(4)
    expect([...said, ...changes].join(' ')).not.toMatch(/undefined|NaN|-5/)
  })
})

import { definePlugin, field, isWebAddress, line, z } from '../../core/plugin.ts'

const parts = ['source', 'medium', 'campaign', 'term', 'content'] as const

type Utm = Readonly<Record<(typeof parts)[number], string | null>>

const part = line(200).nullable().default(null)

const schema: z.ZodType<Utm> = z.strictObject({
  source: part,
  medium: part,
  campaign: part,
  term: part,
  content: part,
})

const names = new Set(parts.map(it => `utm_${it}`))
const none: Utm = { source: null, medium: null, campaign: null, term: null, content: null }

export default definePlugin({
  feature: 'link.utmParameters',
  label: 'UTM parameters',
  about: 'Add UTM parameters to the original URL of a link.',
  fields: {
    utm: field(schema, {
      label: 'UTM parameters',
      hint: 'These replace all five UTM parameters of the original URL, also when the URL is changed later.',
      control: 'utm',
    }),
  },
  // Written into the original URL, so that a redirect needs no extra work.
  prepare({ fields, stored, originalUrl }) {
    const utm = fields.utm === undefined ? stored.utm : fields.utm
    if (utm === undefined || (utm === null && stored.utm === undefined)) return
    return { originalUrl: withUtm(originalUrl, utm ?? none) }
  },
})

/** Returns the URL with only these UTM parameters, at its end. All other parameters keep their spelling. Other addresses stay. */
function withUtm(address: string, utm: Utm): string {
  if (!isWebAddress(address)) return address
  const url = new URL(address)
  const others = url.search
    .slice(1)
    .split('&')
    .filter(pair => pair !== '' && !names.has(nameOf(pair)))
  const own = new URLSearchParams()
  for (const it of parts) if (utm[it] !== null) own.set(`utm_${it}`, utm[it])
  url.search = [...others, own.toString()].filter(it => it !== '').join('&')
  return url.href
}

function nameOf(pair: string): string {
  const [name = ''] = new URLSearchParams(pair).keys()
  return name
}

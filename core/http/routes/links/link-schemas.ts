import { z } from 'zod'
import type { LinkAnswers } from '../../../kernel/hooks/link-answers.ts'
import type { LinkFields } from '../../../kernel/hooks/link-fields.ts'
import type { LinkStatuses } from '../../../kernel/hooks/link-statuses.ts'
import { maxUrlLength } from '../../../lib/net/web-address.ts'
import { line, lines } from '../../../lib/schema/lines.ts'
import { checkOriginalUrl, type Targets } from '../../../links/original-url.ts'
import { describedAddress, shownAddress } from '../../../plugin/fields.ts'

const title = line(300)
  .nullable()
  .meta({ examples: ['Spring sale'] })
const notes = lines(5_000).nullable()

/** What creating a link takes; plugins add their fields. */
export function newLinkSchema(fields: LinkFields, targets: Targets) {
  return z.strictObject({
    originalUrl: addressSchema(targets),
    title: title.optional(),
    notes: notes.optional(),
    archived: z.boolean().optional(),
    ...fields.requestShape('create'),
  })
}

/** What changing a link takes: absent fields stay, null clears. */
export function linkChangeSchema(fields: LinkFields) {
  return z.strictObject({
    title: title.optional(),
    notes: notes.optional(),
    archived: z.boolean().optional(),
    ...fields.requestShape('edit'),
  })
}

/** The host of a short URL in a query. */
export const hostQuery = z.string().max(253).default('').meta({
  description: 'Host of the short URL. Default: the host of this instance.',
})

/** A link as the API shows it, with what plugins add to it and to its visits, and the statuses that it can have. */
export function linkSchema({
  answers: { shape, totals },
  statuses: { names },
}: {
  readonly answers: Pick<LinkAnswers, 'shape' | 'totals'>
  readonly statuses: Pick<LinkStatuses, 'names'>
}) {
  return z
    .object({
      id: z.string().meta({ examples: ['lnk_Gv8J65Sx'] }),
      shortCode: z.string().meta({ examples: ['spring'] }),
      shortUrl: z.url().meta({ examples: ['https://go.example.org/spring'] }),
      originalUrl: shownAddress.meta({ examples: ['https://example.com/?q=1'] }),
      domain: z
        .string()
        .meta({ description: 'Host of the short URL.', examples: ['go.example.org'] }),
      title: z
        .string()
        .nullable()
        .meta({ examples: ['Spring sale'] }),
      notes: z.string().nullable(),
      archived: z.boolean(),
      status: z.enum(names).meta({ examples: ['active'] }),
      visits: z.object({
        total: z.int().min(0),
        undated: z.int().min(1).optional().meta({
          description:
            'Those of the total that were brought from elsewhere without their dates; absent if there are none.',
        }),
        ...Object.fromEntries(Object.keys(totals).map(name => [name, z.int().min(0)])),
      }),
      lastVisitAt: z.iso.datetime().nullable(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
      ...shape(),
    })
    .meta({ id: 'Link' })
}

function addressSchema(targets: Targets) {
  const others = targets.targetSchemes.map(it => `${it}:`).join(', ')
  const all =
    others === '' ? 'an http or https URL' : `an http or https URL, or one with ${others},`
  return z
    .string()
    .transform((text, context) => {
      const address = checkOriginalUrl(text, targets)
      if ('href' in address) return address.href
      context.addIssue({ code: 'custom', message: address.problem })
      return z.NEVER
    })
    .meta({
      ...describedAddress(`Where the link leads: ${all} of at most ${maxUrlLength} characters.`),
      examples: ['https://example.com/?q=1'],
    })
}

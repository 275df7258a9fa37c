import { publicId, shownAddress, z } from '../../../core/plugin.ts'
import type { Domain } from './domains.ts'
import { placesOf } from './proof.ts'

export const domainSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  verified: z.boolean(),
  verification: z
    .strictObject({
      text: z.string(),
      dns: z.strictObject({ type: z.literal('TXT'), name: z.string() }),
      file: z.strictObject({ url: z.url() }),
    })
    .meta({
      description:
        'How to prove that the host is yours: put the text in a TXT record of this name, or in a file ' +
        'at this URL, then verify the domain.',
    }),
  rootUrl: shownAddress.nullable(),
  notFoundUrl: shownAddress.nullable(),
  linksCount: z.int().min(0),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

/** A domain as the API shows it. */
export function showDomain(domain: Domain): z.input<typeof domainSchema> {
  const { dnsName, fileUrl } = placesOf(domain)
  return {
    id: publicId('dom', domain.id),
    host: domain.host,
    verified: domain.verified_host !== null,
    verification: {
      text: domain.proof,
      dns: { type: 'TXT', name: dnsName },
      file: { url: fileUrl },
    },
    rootUrl: domain.root_url,
    notFoundUrl: domain.not_found_url,
    linksCount: Number(domain.links_count),
    createdAt: new Date(domain.created_at).toISOString(),
    updatedAt: new Date(domain.updated_at).toISOString(),
  }
}

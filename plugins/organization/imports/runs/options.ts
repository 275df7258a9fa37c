import { z } from '../../../../core/plugin.ts'

const host = z.string().min(1).max(253)

/** Each run keeps and shows what was chosen, and there are a hundred on a page. */
const mostHosts = 100

/** What people choose of an import, whatever it reads. */
export const optionsSchema = z.strictObject({
  hosts: z
    .record(host, host.nullable())
    .refine(it => Object.keys(it).length <= mostHosts, `Must have at most ${mostHosts} hosts.`)
    .default({})
    .meta({
      description:
        'Where links of other hosts go: a host here, or null for the host of this instance. Hosts that are not named stay, if they are here.',
      examples: [{ 's.example.com': 'go.example.org' }],
    }),
  host: host.nullable().default(null).meta({
    description: 'Where links go whose host the source does not name. Null: this instance.',
  }),
  onTaken: z.enum(['refuse', 'new']).default('refuse').meta({
    description: 'What happens to a link whose short code is taken: `new` gives it another.',
  }),
  isStrict: z.boolean().default(false).meta({
    description:
      'True: a link is refused if a field of it cannot come, because that is off or not in the plan. Otherwise it comes without the field.',
  }),
  counts: z
    .boolean()
    .default(true)
    .meta({ description: 'False: links come without their visits.' }),
  byOwner: z.boolean().default(false).meta({
    description:
      'For admins. True: links go to the accounts with the e-mail addresses of those who have them in the source.',
  }),
  keys: z.boolean().default(false).meta({
    description:
      'Whether API keys of the source go on to work here, with links and their analytics, each for the account with the e-mail address of its owner. Needs a session or a token with the scope `*`.',
  }),
})

export type Options = z.output<typeof optionsSchema>

import {
  type Caller,
  type CodeRules,
  type Context,
  choice,
  definePlugin,
  endpoint,
  optional,
  refuse,
  text,
  z,
} from '../../core/plugin.ts'
import { kinds, makeCode } from './code-rules/make-code.ts'

const grammars = ['narrow', 'wide'] as const
const cases = ['exact', 'any_case'] as const
const hyphens = ['strict', 'ignored'] as const

const labels = {
  grammar: { narrow: 'Letters, digits, - and _', wide: 'Any path, Unicode and emojis too' },
  codes: { exact: 'As written', any_case: 'Any case' },
  hyphens: { strict: 'They matter', ignored: 'They make no difference' },
} as const

const rules = {
  grammar: z.enum(grammars),
  codes: z.enum(cases),
  hyphens: z.enum(hyphens),
}

const shown = z.strictObject({ host: z.string(), isYours: z.boolean(), ...rules })

const change = z
  .strictObject({
    host: z.string().min(1).max(253).optional().meta({
      description: 'One of your verified domains. Default: the host of this instance, for admins.',
    }),
    grammar: rules.grammar.optional(),
    codes: rules.codes.optional(),
    hyphens: rules.hyphens.optional(),
  })
  .meta({ description: 'What is left out stays as it is.' })

const notYours = refuse(
  'validation_failed',
  'Must be the host of one of your verified domains.',
  422,
  'host',
)

const notAdmin = refuse('insufficient_scope', 'Only admins may do this.', 403, undefined, {
  requiredScope: 'admin',
})

export default definePlugin({
  feature: 'link.codeRules',
  about:
    'Choose for each host which short codes it has, and whether case and hyphens matter in them.',
  scopes: ['code-rules:write'],
  settings: {
    made: choice(kinds, {
      label: 'Codes that nobody chose',
      hint: 'None has letters or digits that look alike, such as 0 and O, or 1, l and I.',
      default: 'mixed',
      labels: {
        mixed: '7 small and capital letters and digits',
        small: '8 small letters and digits',
        words: 'Words, as brave-otter',
      },
    }),
  },
  // Runs after the plugin with which people choose a code.
  prepare({ kind, shortCode, attempt }, { settings: { made } }) {
    if (kind === 'edit' || shortCode !== undefined) return undefined
    const code = makeCode(made, attempt)
    return code === undefined ? undefined : { shortCode: code }
  },

  endpoints: {
    'GET /code-rules': endpoint({
      summary: 'List the rules for short codes of the hosts that your links can be on',
      scope: 'links:read',
      answer: z.strictObject({ data: z.array(shown) }),
      handle: ({ caller }, context) => ({
        data: ['', ...ownHosts(caller, context)].map(host => show(host, caller, context)),
      }),
    }),
    'POST /code-rules': endpoint({
      summary: 'Change the rules for short codes of a host',
      scope: 'code-rules:write',
      body: change,
      answer: z.strictObject({ data: shown }),
      unstable: { tries: true },
      async handle({ caller, body: { host: named = '', ...given }, isDry }, context) {
        const { codes } = context.unstable
        const host = hostIn(named, context)
        if (host === '' && !isAdmin(caller)) return notAdmin
        if (host !== '' && !ownHosts(caller, context).includes(host)) return notYours
        const before = codes.rulesOf(host)
        const wanted: CodeRules = {
          grammar: given.grammar ?? before.grammar,
          codes: given.codes ?? before.codes,
          hyphens: given.hyphens ?? before.hyphens,
        }
        const refused = await codes.change(host, wanted, isDry)
        return refused ?? { data: { ...show(host, caller, context), ...wanted } }
      },
    }),
  },

  unstable: {
    dashboard: {
      settings: [
        {
          title: 'Short codes of a host',
          lead: 'Which short codes a host has. Links that exist keep theirs.',
          from: 'GET /code-rules',
          table: {
            columns: {
              host: { label: 'Host' },
              grammar: { label: 'Characters', words: wordsOf(labels.grammar) },
              codes: { label: 'Upper and lower case', words: wordsOf(labels.codes) },
              hyphens: { label: 'Hyphens', words: wordsOf(labels.hyphens) },
            },
          },
          form: {
            call: 'POST /code-rules',
            fields: {
              host: optional(
                text({
                  label: 'Host',
                  hint: 'Empty: the host of this instance, which admins may change.',
                  max: 253,
                }),
              ),
              grammar: optional(choice(grammars, { label: 'Characters', labels: labels.grammar })),
              codes: optional(
                choice(cases, { label: 'Upper and lower case', labels: labels.codes }),
              ),
              hyphens: optional(choice(hyphens, { label: 'Hyphens', labels: labels.hyphens })),
            },
            submit: 'Change the rules',
          },
        },
      ],
    },
  },
})

function wordsOf(all: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(all).map(([word, label]) => [word, { label }]))
}

/** A token of an admin needs the scope of admins too. */
function isAdmin({ isAdmin, scopes }: Caller): boolean {
  return isAdmin && (scopes.includes('*') || scopes.includes('admin'))
}

/** The hosts of which somebody may change the rules: shared ones are those of admins. */
function ownHosts(caller: Caller, { unstable }: Context): readonly string[] {
  const own = unstable.hosts
    .all()
    .filter(it => (it.accountId === null ? isAdmin(caller) : it.accountId === caller.accountId))
  return own.map(({ name }) => name).sort()
}

/** The name of a host as it is stored; empty for that of the base URL. */
function hostIn(text: string, { links }: Context): string {
  const { host, hostname } = new URL(links.apiUrl(''))
  const name = text.trim().toLowerCase()
  return [host, hostname, ''].includes(name) ? '' : name
}

function show(host: string, caller: Caller, context: Context): z.input<typeof shown> {
  const name = host === '' ? new URL(context.links.apiUrl('')).host : host
  return {
    host: name,
    isYours: host !== '' || isAdmin(caller),
    ...context.unstable.codes.rulesOf(host),
  }
}

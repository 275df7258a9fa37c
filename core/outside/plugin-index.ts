import { rcompare, satisfies, valid, validRange } from 'semver'
import { z } from 'zod'
import { yieldToRedirects } from '../lib/async/yield-to-redirects.ts'
import { reasonOf } from '../lib/message-for-people.ts'
import { parseJson } from '../lib/text/json.ts'
import { UserError } from '../lib/user-error.ts'
import { type Found, whyWrongApi } from './find-plugins.ts'
import { readSpec } from './source.ts'
import { whyUnfit } from './why-unfit.ts'

/** A list of plugins that somebody keeps as a JSON file on the web. It is read only when somebody asks for it. */
export interface PluginIndex {
  readonly address: string
  /** Throws `IndexUnusable`. */
  read(): Promise<ReadIndex>
  /** A sentence for each of these that was withdrawn, according to the index as it was last read. */
  withdrawn(installed: readonly Pick<Found, 'name' | 'version'>[]): readonly string[]
}

export interface ReadIndex {
  readonly plugins: readonly ListedPlugin[]
  /** Entries that are left out, because they are not as `docs/plugins/publishing.md` has them. */
  readonly unreadable: number
}

/** A plugin of the index, for this Linnet. */
export interface ListedPlugin extends Omit<Entry, 'verified'> {
  /** The newest version that this Linnet can run; null if there is none. */
  readonly version: string | null
  /** Why there is none. */
  readonly problem: string | null
  /** Who verified that version; null: nobody. */
  readonly verified: Verified | null
}

/** The index cannot be read: the message says why. */
export class IndexUnusable extends UserError {
  override readonly name = 'IndexUnusable'
}

const maxBytes = 4 * 1_024 * 1_024
/** In characters. */
const maxEntryLength = 50_000
const waitMs = 10_000

/** Shown in terminals, so it has no character that moves the cursor. */
const line = (max: number) =>
  z
    .string()
    .max(max, { abort: true })
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
const lines = (max: number) => z.array(line(100)).max(max).default([])

/** Each version is compared with each part of a range, and reading a part takes longer than its characters suggest. */
const fewParts = (max: number) =>
  line(max).refine(text => text.split(/\|\||\s+/).length <= 20, { abort: true })
const range = fewParts(200).refine(text => validRange(text) !== null)

const entrySchema = z.object({
  name: line(214).refine(text => readSpec(text)?.name === text),
  about: line(300),
  keywords: lines(30),
  license: line(100),
  repository: z.url({ protocol: /^https$/ }).optional(),
  /** The day of its last release, such as `2026-11-20`. */
  released: z.iso.date(),
  /** What it may read: `place`, `city`. */
  reads: lines(10),
  /** The parts of `unstable` that it uses. */
  unstable: lines(50),
  versions: z
    .array(
      z.object({
        version: line(100).refine(text => valid(text) !== null),
        api: line(100),
        linnet: fewParts(100).optional(),
        node: fewParts(100).optional(),
      }),
    )
    .max(100),
  /** Who checked which versions, and where it can be seen from which source they were built. */
  verified: z
    .object({
      by: line(100),
      versions: range,
      provenance: z.url({ protocol: /^https$/ }).max(500),
    })
    .optional(),
  withdrawn: z
    .array(z.object({ versions: range, why: line(300) }))
    .max(20)
    .default([]),
})

type Entry = z.infer<typeof entrySchema>

/** Who says that a version was built from its source, and where that can be seen. */
type Verified = Pick<NonNullable<Entry['verified']>, 'by' | 'provenance'>

const indexSchema = z.object({ plugins: z.array(z.unknown()).max(10_000) })

/** The index at an address. `linnet` is the version of Linnet. */
export function pluginIndex(address: string, linnet: string): PluginIndex {
  let last: readonly ListedPlugin[] = []
  return {
    address,
    withdrawn: installed => withdrawnOf(last, installed),
    async read() {
      const { data } = indexSchema.safeParse(parseJson(await fetchText(address)))
      if (!data) throw new IndexUnusable(`What is at ${address} is not an index of plugins.`)
      const plugins: ListedPlugin[] = []
      for (const it of data.plugins) {
        const isTooLong = JSON.stringify(it).length > maxEntryLength
        const entry = isTooLong ? undefined : entrySchema.safeParse(it).data
        if (entry) plugins.push(listed(entry, linnet))
        // Thousands take a while.
        await yieldToRedirects()
      }
      // All of it would be megabytes.
      last = plugins.filter(({ withdrawn }) => withdrawn.length > 0)
      return { plugins, unreadable: data.plugins.length - plugins.length }
    },
  }
}

function listed({ verified, ...entry }: Entry, linnet: string): ListedPlugin {
  const newest = newestFor(entry, linnet)
  const { version } = newest
  const isVerified =
    verified &&
    version !== null &&
    satisfies(version, verified.versions, { includePrerelease: true })
  const mark = isVerified ? { by: verified.by, provenance: verified.provenance } : null
  return { ...entry, ...newest, verified: mark }
}

/** The plugins that have all of these words somewhere in what the index says of them. */
export function searchIndex(
  plugins: readonly ListedPlugin[],
  words: readonly string[],
): readonly ListedPlugin[] {
  const wanted = words.flatMap(it => it.toLowerCase().split(/\s+/)).filter(Boolean)
  return plugins.filter(({ name, about, keywords }) => {
    const text = [name, about, ...keywords].join(' ').toLowerCase()
    return wanted.every(word => text.includes(word))
  })
}

function withdrawnOf(
  plugins: readonly ListedPlugin[],
  installed: readonly Pick<Found, 'name' | 'version'>[],
): readonly string[] {
  return installed.flatMap(({ name, version }) => {
    const entry = plugins.find(it => it.name === name)
    const why = entry && version !== null ? whyWithdrawn(entry, version) : undefined
    return why === undefined ? [] : [`${name} ${version} was withdrawn: ${why}`]
  })
}

function newestFor(entry: Entry, linnet: string): Pick<ListedPlugin, 'version' | 'problem'> {
  const versions = entry.versions.toSorted((a, b) => rcompare(a.version, b.version))
  const whyNot = ({ version, api, linnet: range, node }: Entry['versions'][number]) =>
    whyWrongApi(api) ??
    whyUnfit({ engines: { linnet: range, node } }, linnet) ??
    whyWithdrawn(entry, version)
  const fitting = versions.find(it => whyNot(it) === undefined)
  if (fitting) return { version: fitting.version, problem: null }
  const [newest] = versions
  return { version: null, problem: (newest && whyNot(newest)) ?? 'it has no release' }
}

function whyWithdrawn(
  { withdrawn }: Pick<Entry, 'withdrawn'>,
  version: string,
): string | undefined {
  return withdrawn.find(({ versions }) => satisfies(version, versions, { includePrerelease: true }))
    ?.why
}

async function fetchText(address: string): Promise<string> {
  try {
    // Elsewhere it could lead into the network that this machine is in.
    const answer = await fetch(address, { signal: AbortSignal.timeout(waitMs), redirect: 'manual' })
    if (answer.status >= 300 && answer.status < 400) {
      throw new Error(`it leads to ${answer.headers.get('location')}: name that address instead`)
    }
    if (!answer.ok) throw new Error(`it answers ${answer.status}`)
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of answer.body ?? []) {
      bytes += part.byteLength
      if (bytes > maxBytes) throw new Error('it has more than 4 MiB')
      parts.push(part)
    }
    return Buffer.concat(parts).toString()
  } catch (error) {
    const reason = reasonOf((error as Error).cause ?? error)
    throw new IndexUnusable(`The index of plugins at ${address} cannot be read: ${reason}.`)
  }
}

import type { Json, PastCounts } from '../../../../core/plugin.ts'
import { z } from '../../../../core/plugin.ts'
import { parseJson } from '../reading/json.ts'
import type { Asked, Item, LinkItem, Source } from '../source.ts'
import { SourceError } from '../source.ts'

/** The version of lines that this reads. */
const version = 1

/** The most characters of a line, and values in it: a part of counts has some thousand numbers. */
const maxLine = 4_000_000
const maxValues = 100_000

const moment = z.iso.datetime().transform(it => new Date(it))
const text = z.string()
/** Of JSON that was parsed just before: to look at each value of many takes seconds. */
const values = z.custom<Readonly<Record<string, Json>>>(
  it => typeof it === 'object' && it !== null && !Array.isArray(it),
)
const code = z.strictObject({ host: text.nullable(), code: text })

const begin = z.object({
  kind: z.literal('export'),
  version: z.number(),
})

const host = z.object({
  kind: z.literal('host'),
  host: text.nullable(),
  rootUrl: text.nullable(),
  notFoundUrl: text.nullable(),
  rules: z.object({
    grammar: z.enum(['narrow', 'wide']),
    codes: z.enum(['exact', 'any_case']),
    hyphens: z.enum(['strict', 'ignored']),
  }),
})

const owner = text.max(400)
const tag = z.object({
  kind: z.literal('tag'),
  owner: owner.nullable().default(null),
  name: text,
  color: text,
})

const campaign = z.object({
  kind: z.literal('campaign'),
  owner: owner.nullable().default(null),
  name: text,
  color: text,
  description: text.nullable(),
  startsAt: moment.nullable(),
  endsAt: moment.nullable(),
})

const link = z.object({
  kind: z.literal('link'),
  id: text.max(200),
  owner,
  host: text.nullable(),
  code: text,
  formerCodes: z.array(text).max(1_000),
  formerCodesElsewhere: z.array(code).max(1_000).optional(),
  createdAt: moment,
  updatedAt: moment,
  isArchived: z.boolean(),
  visits: z.looseObject({ total: z.int().min(0), undated: z.int().min(0).optional() }),
  lastVisitAt: moment.nullable(),
  tags: z.array(text).max(100),
  campaign: text.nullable(),
  fields: values.and(z.object({ originalUrl: text })),
  hashed: z.record(text, text).optional(),
  shown: values,
})

const count = z.int().min(0)
const counts = z.object({
  kind: z.literal('counts'),
  link: text,
  part: text,
  counts: z.array(
    z.object({
      // What is met mostly stands first: the others are tried in turn.
      at: z.union([moment, z.iso.date()]),
      visits: count,
      // Whoever adds them looks into it.
      by: z.record(text, z.unknown()).optional(),
    }),
  ),
})

const end = z.object({ kind: z.literal('end'), lines: z.int() })

const lineSchema = z.discriminatedUnion('kind', [begin, host, tag, campaign, link, counts, end])

/** An export of another Linnet, or of this one. */
export const linnet: Source = {
  name: 'linnet',
  label: 'Linnet',
  about: 'Reads the export of another Linnet: JSON lines of GET /export or of linnet export.',
  settings: {},
  file: { endings: ['.jsonl'] },
  read,
}

async function* read({ file }: Asked): AsyncIterable<Item> {
  if (!file) throw new SourceError('Name the file of an export of Linnet.')
  let number = 0
  let isWhole = false
  for await (const line of linesOf(file.read())) {
    number += 1
    const row = `line ${number}`
    const read = lineSchema.safeParse(parseJson(line, maxValues))
    if (number === 1) expectBegin(read.data)
    else if (isWhole) throw new SourceError(`${row} stands behind the end of the export.`)
    else if (!read.success) yield { kind: 'refused', row, reason: whyNot(read.error) }
    else if (read.data.kind === 'end') isWhole = true
    else yield* itemsOf(read.data, row)
  }
  if (!isWhole) {
    throw new SourceError(
      `The export ends after ${number} lines without its last one: it was cut off. All before that was read; export it again.`,
    )
  }
}

type Line = z.output<typeof lineSchema>

function expectBegin(line: Line | undefined): void {
  if (line?.kind !== 'export') {
    throw new SourceError('This is no export of Linnet: its first line does not say so.')
  }
  if (line.version === version) return
  throw new SourceError(
    `This export has version ${line.version} of the lines, and version ${version} can be read here: update Linnet.`,
  )
}

function* itemsOf(line: Line, row: string): Generator<Item> {
  if (line.kind === 'link') yield linkOf(line, row)
  else if (line.kind === 'counts') yield { ...line, row, counts: line.counts as PastCounts[] }
  else if (line.kind !== 'export' && line.kind !== 'end') yield { ...line, row }
}

function linkOf(line: Extract<Line, { kind: 'link' }>, row: string): Item {
  const {
    hashed: { password: hash, ...otherHashes } = {},
    shown,
    visits,
    lastVisitAt,
    fields,
    ...own
  } = line
  const { formerCodesElsewhere = [], ...rest } = own
  if (shown.hasPassword === true && hash === undefined) {
    const reason = `${line.code} has a password, and its hash is not in this file. Export it on the server with --hashes, so that it does not come without one.`
    return { kind: 'refused', row, reason }
  }
  const limited = withLimit(fields, shown.visitsLeft, visits.total)
  const codes = formerCodesElsewhere.map(it => `${it.host ?? 'the default host'}/${it.code}`)
  const changes = [
    ...limited.changes,
    ...Object.keys(otherHashes).map(it => `Its ${it.slice(0, 100)} does not come: it is a hash.`),
    ...codes.map(it => `${it} led to it, too, on another host, and does not come.`),
  ]
  const item: LinkItem = {
    ...rest,
    row,
    fields: limited.fields,
    visits: visits.total,
    ...(visits.undated !== undefined && { undated: Math.min(visits.undated, visits.total) }),
    ...(lastVisitAt && { lastVisitAt }),
    ...(hash !== undefined && { password: { hash } }),
    ...(changes.length > 0 && { changes }),
  }
  return item
}

/**
 * A limit counts the visits since it was set, and all that come with a link count as such. So one that was set later is as much higher.
 */
function withLimit(
  fields: LinkItem['fields'],
  visitsLeft: Json | undefined,
  visits: number,
): { readonly fields: LinkItem['fields']; readonly changes: readonly string[] } {
  const { maxVisits } = fields
  if (typeof maxVisits !== 'number' || typeof visitsLeft !== 'number')
    return { fields, changes: [] }
  if (visitsLeft === Math.max(maxVisits - visits, 0)) return { fields, changes: [] }
  const same = Math.max(visits + visitsLeft, 1)
  const change = `Its limit of ${maxVisits} visits is one of ${same} here, so that ${visitsLeft} are left: the visits before it was set count, too.`
  return { fields: { ...fields, maxVisits: same }, changes: [change] }
}

/** Where the first mistake is. */
function whyNot({ issues: [first] }: z.ZodError): string {
  const place = first?.path.join('.') ?? ''
  return place === ''
    ? 'This is no line of an export of Linnet.'
    : `Is not as this version writes it, at ${place.slice(0, 200)}: ${first?.message}.`
}

/** The lines of a text, without empty ones. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const some of bytes) {
    const lines = (rest + decoder.decode(some, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLine) {
      throw new SourceError(
        `A line has more than ${maxLine} characters: this is no export of Linnet.`,
      )
    }
    for (const line of lines) if (line.trim() !== '') yield line
  }
  const last = rest + decoder.decode()
  if (last.trim() !== '') yield last
}

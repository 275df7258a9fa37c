import { rmSync } from 'node:fs'
import { rcompare } from 'semver'
import { z } from 'zod'
import { whyWrongApi } from './find-plugins.ts'
import { runNpm } from './npm.ts'
import { readSpec, type Source } from './source.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { needsSchema, whyUnfit } from './why-unfit.ts'

/** Which version of a package is installed. */
export interface Choice {
  readonly source: Source
  /** Why no newer one is, as a sentence. */
  readonly note?: string
}

const versionSchema = needsSchema.extend({
  version: z.string(),
  linnet: z.object({ api: z.string().optional() }).optional(),
  deprecated: z.string().optional(),
})

type Version = z.infer<typeof versionSchema>

const fields = ['version', 'linnet', 'peerDependencies', 'engines', 'deprecated']

/**
 * The newest version of a package in the npm registry, within the range that was asked for, that this Linnet can run
 * and that its author has not withdrawn. `version` is that of Linnet. If there is none, the source stays as it is, and
 * installing it says why it cannot be used.
 */
export async function newestThatFits(source: Source, version: string): Promise<Choice> {
  if (source.kind !== 'registry') return { source }
  const whyNot = (it: Version) => whyPassedOver(it, version)
  const asked = await versionsOf(source.spec)
  const [newest] = asked
  const why = newest && whyNot(newest)
  if (newest === undefined || why === undefined) return { source }
  // Of `*`, npm would tell the latest alone.
  const others =
    source.spec === `${source.name}@latest` ? await versionsOf(`${source.name}@>=0.0.0`) : asked
  const fitting = others.find(it => whyNot(it) === undefined)
  const chosen = fitting && readSpec(`${source.name}@${fitting.version}`)
  if (!chosen) return { source }
  return { source: chosen, note: `${source.name} ${newest.version} was passed over: ${why}.` }
}

/** Newest first. Empty if the registry has none or cannot be reached, which installing it says. */
async function versionsOf(spec: string): Promise<readonly Version[]> {
  const folder = makeTemporaryFolder('linnet-view-')
  try {
    const found = await runNpm(folder, ['view', spec, ...fields])
    // npm tells a single version without a list.
    const all = z.array(versionSchema).safeParse([found].flat()).data ?? []
    return all.toSorted((a, b) => rcompare(a.version, b.version, { loose: true }))
  } catch {
    return []
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function whyPassedOver({ linnet, deprecated, ...needs }: Version, version: string) {
  if (linnet === undefined) return undefined
  const why = whyWrongApi(linnet.api) ?? whyUnfit(needs, version)
  return why ?? (deprecated ? `its author has withdrawn it (${deprecated})` : undefined)
}

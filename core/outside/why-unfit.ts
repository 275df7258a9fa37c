import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { satisfies, validRange } from 'semver'
import { z } from 'zod'

const rangesSchema = z
  .object({ linnet: z.string().optional(), node: z.string().optional() })
  .optional()
  .catch(undefined)

export type Needs = z.infer<typeof needsSchema>

/** What the package of a plugin says that it needs, as npm writes it. */
export const needsSchema = z.object({
  peerDependencies: rangesSchema,
  engines: rangesSchema,
  dependencies: z.record(z.string(), z.string()).optional().catch(undefined),
})

/**
 * Why this Linnet or this Node cannot run a plugin, as the end of "It is left out: …"; undefined if its package says
 * nothing of that. `version` is that of Linnet. What is no range of versions, such as a path, says nothing.
 */
export function whyUnfit(
  { peerDependencies = {}, engines = {} }: Needs,
  version: string,
): string | undefined {
  const needs = [
    ['Linnet', version, peerDependencies.linnet],
    ['Linnet', version, engines.linnet],
    ['Node', process.versions.node, engines.node],
  ] as const
  for (const [what, ours, range = '*'] of needs) {
    const isFit = validRange(range) === null || satisfies(ours, range, { includePrerelease: true })
    if (isFit) continue
    return `it is for ${what} ${range}, but this is ${ours}: update ${what}, or use a version of it for ${ours}`
  }
  return undefined
}

/** Why a package in this folder is not whole: it depends on a folder that only its author has. Undefined if it is. */
export function whyNotWhole(root: string, { dependencies = {} }: Needs): string | undefined {
  for (const [name, range] of Object.entries(dependencies)) {
    const [, path] = /^(?:file:)?([./~].*)$/.exec(range) ?? []
    if (path === undefined || existsSync(resolve(root, path))) continue
    if (existsSync(join(root, 'node_modules', name))) continue
    return `it needs ${name} from ${range}, which is not in its package: publish ${name} too, or name it in bundleDependencies`
  }
  return undefined
}

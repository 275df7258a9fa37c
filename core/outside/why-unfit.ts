import { satisfies, validRange } from 'semver'
import { z } from 'zod'

const rangesSchema = z
  .object({ linnet: z.string().optional(), node: z.string().optional() })
  .optional()
  .catch(undefined)

export type Needs = z.infer<typeof needsSchema>

/** What the package of a plugin says that it needs, as npm writes it. */
export const needsSchema = z.object({ peerDependencies: rangesSchema, engines: rangesSchema })

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

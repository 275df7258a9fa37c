import { checks } from '../kernel/contain/checks-of-hooks.ts'
import type { Containment } from '../kernel/contain/contain.ts'
import type { RunningPlugin } from '../kernel/run/start-plugins.ts'
import { type Finding, warning } from './finding.ts'

/** Asks all running plugins at once what is wrong around them. Each finding has the name of its plugin. */
export async function examinePlugins(
  running: readonly RunningPlugin[],
  contain: Containment,
): Promise<readonly Finding[]> {
  const found = await Promise.all(running.map(it => findingsOf(it, contain)))
  return found.flat()
}

async function findingsOf(
  { plugin: { feature, unstable }, context }: RunningPlugin,
  contain: Containment,
): Promise<readonly Finding[]> {
  const { examine } = unstable ?? {}
  if (!examine) return []
  const check = checks.findings
  const answer = await contain.run(feature, 'examine', () => examine(context), { check })
  if (!answer.ok) return [warning(feature, unanswered, readLog)]
  return answer.value.map(finding => ({ name: feature, ...finding }))
}

const unanswered = 'This plugin could not say whether something is wrong.'
const readLog = 'See the log of the server; docs/logs.md explains its messages.'

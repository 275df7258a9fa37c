import type { Plugin } from '../../plugin.ts'
import type { Contract } from '../../settings/contract.ts'

/** The contract with the names that plugins add to the same answers, after its own. */
export function contractWith(plugins: readonly Plugin[], contract: Contract): Contract {
  const { limits, usage, flags } = contract
  const known = Object.values(limits).flat()
  const own = plugins.flatMap(plugin => Object.keys(plugin.limits ?? {}))
  return {
    ...contract,
    limits: {
      ...limits,
      limits: [...limits.limits, ...own.filter(name => !known.includes(name))],
    },
    usage: [...new Set([...usage, ...plugins.flatMap(plugin => Object.keys(plugin.usage ?? {}))])],
    flags: [...new Set([...flags, ...plugins.flatMap(({ flag = [] }) => flag)])],
  }
}

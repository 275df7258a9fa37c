import type { Plugin } from '../plugin.ts'
import {
  type Contract,
  coreFlags,
  type Features,
  type FeaturesPatch,
  isInContract,
} from './contract.ts'
import { type AnyPlan, includes, unlimited } from './plan.ts'

/** The plugins that run, by feature. */
export type Installed = ReadonlyMap<string, Pick<Plugin, 'flag' | 'needs'>>

/** Whether the core or a running plugin uses a switch. */
export function isBrought(flag: string, installed: Installed): boolean {
  return (
    (coreFlags as readonly string[]).includes(flag) ||
    [...installed.values()].some(plugin => plugin.flag === flag)
  )
}

/** The switches after a change: those that nothing uses are off, those that nobody set are on. */
export function effectiveFeatures(
  features: Features,
  patch: FeaturesPatch,
  { flags }: Contract,
  installed: Installed,
): Features {
  return Object.fromEntries(
    flags.map(flag => [
      flag,
      (patch[flag] ?? features[flag] ?? true) && isBrought(flag, installed),
    ]),
  ) as Features
}

/** Whether a feature is installed and switched on, and so is everything that it needs. */
export function isOnForAll(feature: string, installed: Installed, features: Features): boolean {
  const plugin = installed.get(feature)
  if (!plugin) return false
  const isSwitchedOn = plugin.flag === undefined || features[plugin.flag] === true
  return isSwitchedOn && (plugin.needs ?? []).every(it => isOnForAll(it, installed, features))
}

/** The plan without what is off for everybody, and without what needs something that is off. */
export function effectivePlan(
  plan: AnyPlan,
  contract: Contract,
  installed: Installed,
  features: Features,
): AnyPlan {
  const isOn = (feature: string): boolean =>
    includes(plan, feature) &&
    isOnForAll(feature, installed, features) &&
    (installed.get(feature)?.needs ?? []).every(isOn)
  const groups = Object.entries(contract.features).map(([group, names]) => [
    group,
    Object.fromEntries(names.map(name => [name, isOn(`${group}.${name}`)])),
  ])
  return {
    ...plan,
    ...Object.fromEntries(groups),
    extensions: Object.fromEntries(
      extensionsOf(installed, contract).map(feature => [feature, isOn(feature)]),
    ),
  }
}

/**
 * The plan completed for all running plugins: their features get the value of `included` where the plan does not
 * mention them, and a limit that it does not set is unlimited.
 */
export function completePlan(
  plan: AnyPlan,
  contract: Contract,
  installed: Installed,
  included: boolean,
): AnyPlan {
  const unsaid = extensionsOf(installed, contract).map(feature => [feature, included] as const)
  const noLimits = contract.limits.limits.map(name => [name, unlimited] as const)
  return {
    ...plan,
    limits: { ...Object.fromEntries(noLimits), ...plan.limits },
    extensions: { ...Object.fromEntries(unsaid), ...plan.extensions },
  }
}

/** Running features that the contract does not know. */
function extensionsOf(installed: Installed, contract: Contract): readonly string[] {
  return [...installed.keys()].filter(feature => !isInContract(contract, feature))
}

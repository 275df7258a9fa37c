import type { Plugin } from '../plugin.ts'
import { type Features, type FeaturesPatch, type Flag, flags } from './features.ts'
import { type AnyPlan, contract, includes, isContractFeature } from './plan.ts'

/** The plugins that run, by feature. */
export type Installed = ReadonlyMap<string, Pick<Plugin, 'flag' | 'needs'>>

/** Switches that no plugin brings. */
const coreFlags: readonly Flag[] = ['linkCreationEnabled', 'redirectCacheEnabled']

/** Whether anything that runs listens to a switch. */
export function isBrought(flag: Flag, installed: Installed): boolean {
  return coreFlags.includes(flag) || [...installed.values()].some(plugin => plugin.flag === flag)
}

/** The switches after a change, with those off that nothing listens to. */
export function effectiveFeatures(
  features: Features,
  patch: FeaturesPatch,
  installed: Installed,
): Features {
  return Object.fromEntries(
    flags.map(flag => [flag, (patch[flag] ?? features[flag]) && isBrought(flag, installed)]),
  ) as Features
}

/** Installed and switched on, and so is all that it needs. */
export function isOnForAll(feature: string, installed: Installed, features: Features): boolean {
  const plugin = installed.get(feature)
  if (!plugin) return false
  const isSwitchedOn = plugin.flag === undefined || features[plugin.flag as Flag] === true
  return isSwitchedOn && (plugin.needs ?? []).every(it => isOnForAll(it, installed, features))
}

/** The plan with what is off for everybody, and what needs something that is off, off too. */
export function effectivePlan(plan: AnyPlan, installed: Installed, features: Features): AnyPlan {
  const isOn = (feature: string): boolean =>
    includes(plan, feature) &&
    isOnForAll(feature, installed, features) &&
    (installed.get(feature)?.needs ?? []).every(isOn)
  const group = <Name extends 'analytics' | 'link' | 'developer'>(name: Name) =>
    Object.fromEntries(contract[name].map(key => [key, isOn(`${name}.${key}`)])) as AnyPlan[Name]
  return {
    ...plan,
    analytics: group('analytics'),
    link: group('link'),
    developer: group('developer'),
    extensions: Object.fromEntries(
      extensionsOf(installed).map(feature => [feature, isOn(feature)]),
    ),
  }
}

/** The plan with a word on every extension that runs: `included` where it does not say itself. */
export function withExtensions(plan: AnyPlan, installed: Installed, included: boolean): AnyPlan {
  const unsaid = extensionsOf(installed).map(feature => [feature, included] as const)
  return { ...plan, extensions: { ...Object.fromEntries(unsaid), ...plan.extensions } }
}

/** Running features that the contract does not know. */
function extensionsOf(installed: Installed): readonly string[] {
  return [...installed.keys()].filter(feature => !isContractFeature(feature))
}

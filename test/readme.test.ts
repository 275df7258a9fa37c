import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { namesOf } from '../core/kernel/load/plugin-texts.ts'
import type { Plugin } from '../core/plugin.ts'
import { registry } from '../plugins/index.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(resolve(root, 'README.md'), 'utf8')

/** The text between two markers of a document. */
function section(name: string, text = readme): string {
  const [, inside = ''] =
    new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(text) ?? []
  return inside
}

/** Where a feature is explained, below `docs/`. */
const pages: Readonly<Record<string, string>> = {
  'link.codeRules': 'short-codes.md',
  'link.urlScanning': 'url-scanning.md',
  'link.linkExpiration': 'one-time-links.md',
  'link.confirmation': 'page-before-leaving.md',
  'link.dynamicRouting': 'dynamic-routing.md',
  'link.paths': 'paths.md',
  'link.redirectStatus': 'dashboard.md#redirect-status',
  'analytics.leftOutVisits': 'visits-left-out.md',
  'analytics.trackingPixel': 'tracking-pixel.md',
  'analytics.geoipUpdates': 'configuration.md#countries-and-cities',
  'organization.frontPage': 'main-host.md',
  'organization.mail': 'configuration.md#mail',
  'organization.notices': 'notices.md',
  'organization.signUp': 'sign-ups.md',
  'organization.singleSignOn': 'single-sign-on.md',
  'organization.auditLog': 'audit-log.md',
  'organization.imports': 'moving-in.md',
  'organization.secondFactor': 'second-factor.md',
  'developer.apiKeys': 'api.md',
  'developer.webhooks': 'webhooks.md',
  'developer.metrics': 'metrics.md',
  'developer.mcp': 'mcp.md',
  'developer.yourls': 'doors.md',
  'developer.shlink': 'doors.md',
  'developer.kutt': 'doors.md',
  'dashboard.web': 'dashboard.md',
}

/** All plugins that come with Linnet, by category, in running order. */
async function categories() {
  const plugins = await Promise.all(
    Object.values(registry).map(async load => (await load()).default as Plugin),
  )
  const groups = new Map<string, Plugin[]>()
  for (const plugin of plugins) {
    const { group } = namesOf(plugin)
    groups.set(group, [...(groups.get(group) ?? []), plugin])
  }
  return [...groups]
}

it('names every plugin by category, with a link where a page explains it', async () => {
  const named = (plugin: Plugin) => {
    const { label } = namesOf(plugin)
    const page = pages[plugin.feature]
    return page === undefined ? label : `[${label}](docs/${page})`
  }
  const lines = (await categories()).map(
    ([group, plugins]) => `- **${group}**: ${plugins.map(named).join(' · ')}\n`,
  )
  expect(section('features')).toBe(lines.join(''))
})

it('leads to a list of all plugins with what each says of itself', async () => {
  const parts = (await categories()).map(
    ([group, plugins]) =>
      `## ${group}\n\n${plugins.map(({ feature, about }) => `- \`${feature}\`: ${about}\n`).join('')}`,
  )
  const features = readFileSync(resolve(root, 'docs/features.md'), 'utf8')
  expect(section('features', features)).toBe(`\n${parts.join('\n')}\n`)
})

it('shows a whole plugin as it is', () => {
  const source = readFileSync(resolve(root, 'plugins/link/password-protection.ts'), 'utf8')
  expect(section('plugin')).toBe(`\`\`\`ts\n${source}\`\`\`\n`)
})

it('stays short', () => {
  expect(readme.split('\n').length).toBeLessThan(200)
})

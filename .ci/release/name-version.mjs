import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Names the version that is released in `package.json`, its lockfile and the Dockerfile, and dates its notes in the
 * changelog. Nothing is written if one of them does not fit.
 *
 * @param {string} version such as `0.2.0`
 * @param {string} day such as `2026-11-26`
 */
export function nameVersion(version, day) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw new Error(`${version} is no version. Write one as 0.2.0.`)
  }
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(unreleased\\)$`, 'm')
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  if (!heading.test(changelog)) {
    throw new Error(`CHANGELOG.md has no heading "## ${version} (unreleased)".`)
  }
  const all = [
    ['CHANGELOG.md', changelog.replace(heading, `## ${version} (${day})`)],
    ['package.json', inJson('package.json', it => ({ ...it, version }))],
    [
      'package-lock.json',
      inJson('package-lock.json', it => ({
        ...it,
        version,
        packages: { ...it.packages, '': { ...it.packages[''], version } },
      })),
    ],
    [
      'Dockerfile',
      readFileSync('Dockerfile', 'utf8').replace(/^ARG VERSION=.*$/m, `ARG VERSION=${version}`),
    ],
  ]
  for (const [file, text] of all) writeFileSync(file, text)
}

/** What the changelog says of a version, without its heading. */
export function notesOf(version, changelog = readFileSync('CHANGELOG.md', 'utf8')) {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find(it => it.startsWith(`## ${version} (`))
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}.`)
  return section.slice(section.indexOf('\n') + 1).trimStart()
}

function inJson(file, change) {
  return `${JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`
}

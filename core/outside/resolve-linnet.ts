import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/** What a plugin may import from Linnet, at run time and in its tests. */
const parts = ['plugin', 'harness', 'conformance']

let done: Promise<void> | undefined

/**
 * Makes `linnet/plugin`, `linnet/harness` and `linnet/conformance` resolve to the running Linnet, whatever copy a
 * plugin has installed: one copy does not recognise the refusals of another. Modules that a version of a plugin
 * imports are imported for that version alone, so that another version gets its own. Applies to later imports on this
 * thread, once this has resolved.
 * From then on nothing can be added to all objects there are, as old helpers do by `Object.prototype`: Linnet itself and other plugins
 * would go through it, fail, and be blamed.
 *
 * @param program the folder that contains `plugin.js` and the others
 */
export function resolveLinnet(program: URL): Promise<void> {
  done ??= resolveOnce(program)
  return done
}

async function resolveOnce(program: URL): Promise<void> {
  Object.preventExtensions(Object.prototype)
  const urls = linnetUrls(program)
  registerHooks(program, urls)
  // CommonJS that a plugin imports runs before what the plugin imports beside it, and can require only what is loaded.
  await import(/* @vite-ignore */ urls.get('linnet/plugin') as string).catch(() => undefined)
}

function registerHooks(program: URL, urls: ReadonlyMap<string, string>): void {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (url !== undefined) return { url, format: 'module', shortCircuit: true }
      const found = next(specifier, context)
      const version = versionIn(context)
      return version && found.url.startsWith('file:')
        ? { ...found, url: found.url + version }
        : found
    },
    load(url, context, next) {
      const loaded = next(url, context)
      if (!versionPattern.test(url)) {
        if (loaded.format === 'module' && !url.startsWith(program.href)) expectUnchanged(url)
        return loaded
      }
      return loaded.format === 'commonjs'
        ? { format: 'module', source: requiring(url), shortCircuit: true }
        : loaded
    },
  })
}

/** Where each part of the running Linnet is, by the name that plugins import it under. */
export function linnetUrls(program: URL): ReadonlyMap<string, string> {
  return new Map(parts.map(name => [`linnet/${name}`, new URL(`${name}.js`, program).href]))
}

const versionPattern = /\?linnet=\w+$/

/**
 * A module that requires a CommonJS file, for whoever imports it. Node's own such modules refer to what it remembers of
 * CommonJS, and fail once that is forgotten for another version: with "a bug in Node.js", or as empty objects.
 */
function requiring(url: string): string {
  const file = fileURLToPath(url)
  return [
    `import { createRequire } from 'node:module'`,
    `const exported = createRequire(import.meta.url)(${JSON.stringify(file)})`,
    'export default exported',
    // As Node does: a getter may throw for what is not installed.
    'const read = name => { try { return exported[name] } catch {} }',
    ...namesIn(nodeModule.createRequire(url)(file)).map(
      (name, index) =>
        `const name${index} = read(${JSON.stringify(name)})\nexport { name${index} as ${JSON.stringify(name)} }`,
    ),
  ].join('\n')
}

/** The files of ES modules that CommonJS required, and of those that these import, with what was in them. */
const kept = new Map<string, string>()

/**
 * Node never forgets ES modules that CommonJS requires, so that a new version of a plugin would get them as they were. A file that is
 * required again is loaded here, but not what it imports. Throws if any of them changed.
 */
function expectUnchanged(url: string): void {
  const isNew = !kept.has(url)
  if (isNew) kept.set(url, digestOf(url))
  for (const [file, before] of isNew ? [] : kept) {
    if (digestOf(file) === before) continue
    throw new Error(`${fileURLToPath(file)} changed, and CommonJS requires it: restart Linnet`)
  }
}

function digestOf(url: string): string {
  try {
    return hash('sha256', readFileSync(fileURLToPath(url)))
  } catch {
    return 'absent'
  }
}

/** What can be imported by name. Lists and bytes have names for all that is in them, and so have dictionaries, but nobody imports these. */
function namesIn(exported: unknown): readonly string[] {
  const isList = Array.isArray(exported) || ArrayBuffer.isView(exported)
  if (isList || !(exported instanceof Object)) return []
  const names = Object.keys(exported).filter(it => it !== 'default' && identifier.test(it))
  return names.length <= mostNames ? names : []
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Large libraries export two to three thousand. Each is a line of a module, and a hundred thousand hold redirects for seconds. */
const mostNames = 5_000

/** Modules loaded by `require` have a cache of their own, without versions. In Node 22.15 the conditions are a set. */
function versionIn({ parentURL = '', conditions }: nodeModule.ResolveHookContext) {
  return new Set(conditions).has('require') ? undefined : versionPattern.exec(parentURL)?.[0]
}

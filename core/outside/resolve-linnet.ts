import nodeModule from 'node:module'

/** What a plugin may import from Linnet, at run time and in its tests. */
const parts = ['plugin', 'harness', 'conformance']

/** The hooks for versions of Node without `registerHooks`, which run on a thread of their own. */
const hooks = `
let urls
export const initialize = given => { urls = given }
export const resolve = async (specifier, context, next) => {
  if (urls.has(specifier)) return { url: urls.get(specifier), format: 'module', shortCircuit: true }
  const found = await next(specifier, context)
  const [version] = /[?]linnet=\\w+$/.exec(context.parentURL) ?? []
  return version && found.url.startsWith('file:') ? { ...found, url: found.url + version } : found
}
`

let isDone = false

/**
 * Makes `linnet/plugin`, `linnet/harness` and `linnet/conformance` resolve to the running Linnet, whatever copy a
 * plugin has installed: one copy does not recognise the refusals of another. Modules that a version of a plugin
 * imports are imported for that version alone, so that another version gets its own. Applies to later imports on this
 * thread.
 *
 * @param program the folder that contains `plugin.js` and the others
 */
export function resolveLinnet(program: URL): void {
  if (isDone) return
  isDone = true
  const urls = new Map(parts.map(name => [`linnet/${name}`, new URL(`${name}.js`, program).href]))
  // New in Node 22.15. The older way covers only `import`, and costs a thread.
  const { registerHooks } = nodeModule as Partial<typeof nodeModule>
  if (!registerHooks) {
    const data = { data: urls }
    nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`, data)
    return
  }
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (url !== undefined) return { url, format: 'module', shortCircuit: true }
      const found = next(specifier, context)
      const version = versionIn(context)
      return version && found.url.startsWith('file:')
        ? { ...found, url: found.url + version }
        : found
    },
  })
}

/** Modules loaded by `require` have a cache of their own, without versions. */
function versionIn({ parentURL = '', conditions }: nodeModule.ResolveHookContext) {
  return conditions.includes('require') ? undefined : /\?linnet=\w+$/.exec(parentURL)?.[0]
}

import nodeModule from 'node:module'

/** What a plugin may import of Linnet while it runs, and in its tests. */
const parts = ['plugin', 'harness', 'conformance']

/** The hooks of a Node that has no `registerHooks`, on the thread that it has for them. */
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
 * Have `linnet/plugin` and its kin lead to the Linnet that runs, whatever copy of it a plugin has installed:
 * a refusal of one copy is none to another. And what one version of a plugin imports is imported for it
 * alone, so that another version gets its own. Holds for imports of this thread, from now on.
 *
 * @param program the folder that has `plugin.js` and the others in it
 */
export function resolveLinnet(program: URL): void {
  if (isDone) return
  isDone = true
  const urls = new Map(parts.map(name => [`linnet/${name}`, new URL(`${name}.js`, program).href]))
  // New in Node 22.15. The way before is for `import` alone, and costs a thread.
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

/** What is required has a place of its own, without versions. */
function versionIn({ parentURL = '', conditions }: nodeModule.ResolveHookContext) {
  return conditions.includes('require') ? undefined : /\?linnet=\w+$/.exec(parentURL)?.[0]
}

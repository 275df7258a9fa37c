import nodeModule from 'node:module'

/** What a plugin may import of Linnet while it runs, and in its tests. */
const parts = ['plugin', 'harness', 'conformance']

/** The hooks of a Node that has no `registerHooks`, on the thread that it has for them. */
const hooks = `
let urls
export const initialize = given => { urls = given }
export const resolve = (specifier, context, next) =>
  urls.has(specifier)
    ? { url: urls.get(specifier), format: 'module', shortCircuit: true }
    : next(specifier, context)
`

/**
 * Have `linnet/plugin` and its kin lead to the Linnet that runs, whatever copy of it a plugin has installed:
 * a refusal of one copy is none to another. Holds for imports of this thread, from now on.
 *
 * @param program the folder that has `plugin.js` and the others in it
 */
export function resolveLinnet(program: URL): void {
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
      return url === undefined
        ? next(specifier, context)
        : { url, format: 'module', shortCircuit: true }
    },
  })
}

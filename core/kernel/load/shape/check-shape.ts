import { meant } from '../../../lib/text/nearest-name.ts'
import { isObject, kinds, type Members, type Shape } from './part-kinds.ts'
import { partsOfPlugin } from './plugin-shape.ts'

/**
 * What a plugin has that no plugin can have, and which of its parts are of another kind than they must be. A name that is
 * not known may be a guard that is spelled wrong, and nothing would be guarded.
 */
export function checkShape(plugin: object): readonly string[] {
  return [...wrongMembers(plugin, partsOfPlugin, '')]
}

function* wrongMembers(value: object, members: Members, at: string): Iterable<string> {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name)) continue
    yield `has an unknown part ${at}${name}. ${remedyOf(name, members, at)}`
  }
  for (const [name, shape] of Object.entries(members)) {
    const part = (value as Readonly<Record<string, unknown>>)[name]
    // What is made of parts may be left out; one of its parts may not.
    if (part === undefined && typeof shape === 'object') continue
    yield* wrongPart(part, shape, at + name)
  }
}

function* wrongPart(part: unknown, shape: Shape, at: string): Iterable<string> {
  if (typeof shape === 'string') {
    const [isOk, remedy] = kinds[shape]
    if (!isOk(part)) yield `has a wrong ${at}. ${remedy}.`
    return
  }
  if ('oneOf' in shape) {
    if (typeof part === 'string' && shape.oneOf.includes(part)) return
    yield `has a wrong ${at}. Write one of ${shape.oneOf.join(', ')}.`
  } else if ('list' in shape) {
    if (!Array.isArray(part)) yield `has a wrong ${at}. Write a list.`
    else
      for (const [index, it] of part.entries()) yield* wrongPart(it, shape.list, `${at}[${index}]`)
  } else if (!isObject(part)) yield `has a wrong ${at}. Write an object.`
  else if ('of' in shape) yield* wrongMembers(part, shape.of, `${at}.`)
  else {
    for (const [name, it] of Object.entries(part)) yield* wrongPart(it, shape.each, `${at}.${name}`)
  }
}

function remedyOf(name: string, members: Members, at: string): string {
  const listener = at === '' && Object.keys(partsOfPlugin.on.of).find(it => isCalled(name, it))
  if (listener) return `Did you mean on: { ${listener}() { … } }?`
  const isUnstable = at === '' && Object.hasOwn(partsOfPlugin.unstable.of, name)
  if (isUnstable) return `Write it below unstable: unstable: { ${name}: … }.`
  return meant(
    name,
    Object.keys(members),
    'Remove it, or update Linnet if a newer version knows it.',
  )
}

/** Whether somebody may have meant this listener: `onVisited`, `onVisit`, `visited`. */
function isCalled(name: string, listener: string): boolean {
  const event = name.replace(/^on(?=[A-Z])/, '').toLowerCase()
  return (
    event !== '' &&
    [listener, listener.replace(/e?d$/, ''), listener.replace(/d$/, '')].includes(event)
  )
}

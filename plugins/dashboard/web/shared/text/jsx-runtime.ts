import { Fragment, jsx as one, jsxs as several } from 'react/jsx-runtime'
import { showHidden } from './shown.ts'

/**
 * Stands for `react/jsx-runtime`, in the libraries too, so that no text comes to the screen by another way: a stranger's
 * shows what is hidden in it, wherever it is shown. What inputs hold stays as it is, because it is sent back. A component
 * that returns a text by itself has to return it in a fragment.
 */
export { Fragment }
export const jsx: typeof one = (type, props, key) => one(type, shown(type, props), key)
export const jsxs: typeof several = (type, props, key) => several(type, shown(type, props), key)

type Props = Readonly<Record<string, unknown>>

/** What elements show or have read out, besides what is in them. */
const attributes = ['title', 'aria-label', 'aria-valuetext', 'alt', 'placeholder', 'data-label']

function shown(type: unknown, given: unknown): Props {
  const props = given as Props
  const names = typeof type === 'string' ? ['children', ...attributes] : ['children']
  const changed = names.flatMap(name => {
    const value = shownValue(props[name])
    return value === props[name] ? [] : [[name, value] as const]
  })
  return changed.length > 0 ? { ...props, ...Object.fromEntries(changed) } : props
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return showHidden(value)
  if (!Array.isArray(value)) return value
  const all = value.map(shownValue)
  return all.some((it, index) => it !== value[index]) ? all : value
}

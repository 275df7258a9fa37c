import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadAfterwards } from './above-page.ts'

/** A part of the page that shows only once somebody asks for it: its code comes after the first page. */
export function late<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const loadPart = async () => ({ default: await load() })
  loadAfterwards(loadPart)
  return lazy(loadPart)
}

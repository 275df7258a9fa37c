import 'reflect-metadata'
import { container, instanceCachingFactory } from 'tsyringe'

/** Has parts made when they are first asked for, and keeps them: what cannot be made before plugins run. */
export function createLater(): <T>(name: string, make: () => T) => () => T {
  const made = container.createChildContainer()
  return (name, make) => {
    made.register(name, { useFactory: instanceCachingFactory(make) })
    return () => made.resolve(name)
  }
}

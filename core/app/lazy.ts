import 'reflect-metadata'
import { container, instanceCachingFactory } from 'tsyringe'

/** Makes parts when they are first needed, and keeps them. For parts that cannot be made before plugins run. */
export function createLazy(): <T>(name: string, make: () => T) => () => T {
  const made = container.createChildContainer()
  return (name, make) => {
    made.register(name, { useFactory: instanceCachingFactory(make) })
    return () => made.resolve(name)
  }
}

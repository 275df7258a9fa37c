import 'reflect-metadata'
import { container, instanceCachingFactory } from 'tsyringe'
import type { RunningPlugins } from './kernel/start-plugins.ts'
import type { Get, Given, Parts, Recipes } from './parts.ts'
import { httpRecipes } from './recipes/http.ts'
import { keepingRecipes } from './recipes/keeping.ts'
import { linkRecipes } from './recipes/link.ts'
import { pluginRecipes } from './recipes/plugin.ts'
import { visitRecipes } from './recipes/visit.ts'

/** How each part is made from the others. */
const recipes: Recipes = {
  ...pluginRecipes,
  ...linkRecipes,
  ...visitRecipes,
  ...keepingRecipes,
  ...httpRecipes,
}

/** The parts, each made when it is first asked for. `plugins` is set once they have started. */
export function createParts(given: Given): {
  readonly get: Get
  set(name: 'plugins', plugins: RunningPlugins): void
} {
  const house = container.createChildContainer()
  const get: Get = name => house.resolve<Parts[typeof name]>(name)
  house.register('given', { useValue: given })
  for (const [name, make] of Object.entries(recipes)) {
    house.register(name, { useFactory: instanceCachingFactory(() => make(get)) })
  }
  return { get, set: (name, plugins) => house.register(name, { useValue: plugins }) }
}

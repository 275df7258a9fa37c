import 'reflect-metadata'
import { container, type DependencyContainer, instanceCachingFactory } from 'tsyringe'
import type {
  Get,
  Given,
  LastingParts,
  LastingRecipes,
  Parts,
  Recipes,
  Sets,
} from './parts/parts.ts'
import { answeringRecipes, httpRecipes } from './recipes/http.ts'
import { keepingRecipes } from './recipes/keeping.ts'
import { followingRecipes, linkRecipes } from './recipes/link-recipes.ts'
import { hookRecipes, pluginRecipes } from './recipes/plugin-recipes.ts'
import { switchingRecipes } from './recipes/switching.ts'
import { countingRecipes, visitRecipes } from './recipes/visit-recipes.ts'

const lasting: LastingRecipes = {
  ...pluginRecipes,
  ...linkRecipes,
  ...visitRecipes,
  ...keepingRecipes,
  ...switchingRecipes,
  ...httpRecipes,
}

const ofSet: Recipes = {
  ...hookRecipes,
  ...followingRecipes,
  ...countingRecipes,
  ...answeringRecipes,
}

/** The parts that stay, and those of the set of plugins that runs; each made when it is first asked for. */
export function createParts(given: Given): {
  readonly get: Get<LastingParts>
  readonly sets: Sets
} {
  const house = container.createChildContainer()
  const get: Get<LastingParts> = getFrom(house)
  let running: Get | undefined

  const sets: Sets = {
    now(name) {
      if (!running) throw new Error(`No plugins run yet, so there is no ${name}.`)
      return running(name)
    },
    make(plugins) {
      const set = house.createChildContainer()
      set.register('plugins', { useValue: plugins })
      return fill(set, ofSet, getFrom<Parts>(set))
    },
    use(set) {
      running = set
    },
  }

  house.register('given', { useValue: given })
  fill(house, lasting, get, sets)
  return { get, sets }
}

function getFrom<All extends object>(from: DependencyContainer): Get<All> {
  return name => from.resolve<All[typeof name]>(name as string)
}

function fill<G, More extends unknown[]>(
  into: DependencyContainer,
  recipes: Readonly<Record<string, (get: G, ...more: More) => unknown>>,
  get: G,
  ...more: More
): G {
  for (const [name, make] of Object.entries(recipes)) {
    into.register(name, { useFactory: instanceCachingFactory(() => make(get, ...more)) })
  }
  return get
}

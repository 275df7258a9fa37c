import { expect, it } from 'vitest'
import { wordsOf } from '../../../../plugins/analytics/public-numbers/words.ts'
import { plugins as ours } from '../../../api/whole-instance.ts'

it.each(['de', 'fr', 'es'] as const)(
  'public numbers have a word in %s for all that we count',
  language => {
    const { labels, none } = wordsOf(language)
    const counted = ours.flatMap(({ dimensions = {} }) =>
      Object.entries(dimensions).filter(([name]) => name !== 'visitsByRoutingRule'),
    )
    expect(counted.length).toBeGreaterThan(10)
    for (const [name, dimension] of counted) {
      expect(labels).toHaveProperty(name)
      if (dimension.none !== undefined) expect(none).toHaveProperty([dimension.none])
    }
  },
)

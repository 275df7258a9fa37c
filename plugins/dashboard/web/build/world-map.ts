import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { geoCentroid, geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'

const id = 'virtual:world-map'
const width = 960
const require = createRequire(import.meta.url)

/**
 * The world map, projected when the dashboard is built: `import world from 'virtual:world-map'`. The browser
 * needs neither a map library nor a tile server. Borders are those of Natural Earth.
 */
export function worldMap(): Plugin {
  return {
    name: 'linnet-world-map',
    resolveId: asked => (asked === id ? `\0${id}` : null),
    load: asked =>
      asked === `\0${id}` ? `export default JSON.parse(${JSON.stringify(draw())})` : null,
  }
}

/**
 * As JSON: `lands`, the outlines by country; `places`, the centre of each country that is too small for an
 * outline. The Equal Earth projection preserves areas, so that no country looks larger than it is.
 */
function draw(): string {
  const coarse = countries('countries-110m.json').filter(it => codeOf(it) !== 'AQ')
  const whole = collectionOf(coarse)
  // Split at the Bering Strait, where the cut crosses no country.
  const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(width, whole)
  const path = geoPath(projection).digits(1)
  const [[, top], [, bottom]] = path.bounds(whole)
  const lands = coarse.map(land => ({ code: codeOf(land), path: path(land) ?? '' }))
  const drawn = new Set(lands.map(({ code }) => code))
  const places = countries('countries-50m.json').flatMap(land => {
    const [code, middle] = [codeOf(land), projection(geoCentroid(land))]
    if (code === null || code === 'AQ' || drawn.has(code) || !middle) return []
    return [{ code, x: Math.round(middle[0]), y: Math.round(middle[1]) }]
  })
  const view = [0, Math.floor(top), width, Math.ceil(bottom - top) + 1].join(' ')
  return JSON.stringify({ view, lands, places })
}

function countries(file: string): readonly Feature[] {
  const topology = JSON.parse(
    readFileSync(require.resolve(`world-atlas/${file}`), 'utf8'),
  ) as Topology<{ countries: GeometryCollection<{ name: string }> }>
  return feature(topology, topology.objects.countries).features
}

function collectionOf(features: readonly Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features: [...features] }
}

/** The ISO 3166-1 alpha-2 code that CLDR has for a number; null if there is none. */
function codeOf({ id: number, properties }: Feature): string | null {
  // Kosovo has no number; XK is its code by convention.
  if (number === undefined) return properties?.name === 'Kosovo' ? 'XK' : null
  return new Intl.Locale(`und-${number}`).region ?? null
}

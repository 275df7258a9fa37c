import type { City, Place } from '../../plugin.ts'
import type { PlaceOf } from '../facts/place.ts'
import { ipOf, type NumberedVisits } from './numbered-visits.ts'

/** Where visitors are, with countries and cities numbered: thousands of addresses share one. */
export class NumberedPlaces {
  readonly #placeOf: PlaceOf
  readonly #countries = new Map<string | undefined, number>()
  readonly #cities = new Map<City | undefined, number>()
  #batch: NumberedVisits | undefined
  #last = -1
  #place: Place = nowhere

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf
  }

  begin(batch: NumberedVisits): void {
    this.#batch = batch
    this.#last = -1
  }

  /** What is asked of it is looked up then, and not before. */
  of(visit: number): Place {
    if (visit !== this.#last && this.#batch) this.#place = this.#placeOf(ipOf(this.#batch, visit))
    this.#last = visit
    return this.#place
  }

  countryNumber(visit: number): number {
    return numberIn(this.#countries, this.of(visit).country)
  }

  cityNumber(visit: number): number {
    return numberIn(this.#cities, this.of(visit).city)
  }

  /** How many numbers there are. */
  get size(): number {
    return this.#countries.size + this.#cities.size
  }
}

const nowhere: Place = { country: undefined, city: undefined }

function numberIn<T>(numbers: Map<T, number>, value: T): number {
  const known = numbers.get(value)
  if (known !== undefined) return known
  numbers.set(value, numbers.size)
  return numbers.size - 1
}

import type { City } from '../../plugin.ts'
import type { PlaceOf } from '../facts/place.ts'
import { type InternedVisits, ipOf } from './interned-visits.ts'

/** Locates visitors, with numbered countries and cities, because thousands of addresses share one. */
export class InternedPlaces {
  readonly countries: NumberedFact<string>
  readonly cities: NumberedFact<City>

  constructor(placeOf: PlaceOf) {
    this.countries = new NumberedFact(placeOf.country)
    this.cities = new NumberedFact(placeOf.city)
  }

  begin(batch: InternedVisits): void {
    this.countries.begin(batch)
    this.cities.begin(batch)
  }

  /** How many numbers were given out. */
  get size(): number {
    return this.countries.size + this.cities.size
  }
}

/** A fact about addresses, looked up at most once per visit, and only if something asks for it. */
class NumberedFact<Fact> {
  readonly #factOf: (ip: string) => Fact | undefined
  readonly #numbers = new Map<Fact | undefined, number>()
  #batch: InternedVisits | undefined
  #last = -1
  #fact: Fact | undefined
  #number = 0

  constructor(factOf: (ip: string) => Fact | undefined) {
    this.#factOf = factOf
  }

  begin(batch: InternedVisits): void {
    this.#batch = batch
    this.#last = -1
  }

  of(visit: number): Fact | undefined {
    this.numberOf(visit)
    return this.#fact
  }

  numberOf(visit: number): number {
    if (visit === this.#last || this.#batch === undefined) return this.#number
    this.#last = visit
    this.#fact = this.#factOf(ipOf(this.#batch, visit))
    const known = this.#numbers.get(this.#fact)
    this.#number = known ?? this.#numbers.size
    if (known === undefined) this.#numbers.set(this.#fact, this.#number)
    return this.#number
  }

  get size(): number {
    return this.#numbers.size
  }
}

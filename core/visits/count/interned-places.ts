import type { City, Place } from '../../plugin.ts'
import type { Records } from '../facts/mmdb-file.ts'
import type { PlaceOfFiles } from '../facts/place.ts'
import type { ReadAddress } from './read-address.ts'

/** Locates visitors, with numbered countries and cities, because thousands of addresses share one. */
export class InternedPlaces {
  readonly countries: NumberedFact<string>
  readonly cities: NumberedFact<City>

  constructor({ records }: PlaceOfFiles, address: ReadAddress) {
    this.countries = new NumberedFact(address, records.country, place => place?.country)
    this.cities = new NumberedFact(address, records.city, place => place?.city)
  }

  begin(): void {
    this.countries.begin()
    this.cities.begin()
  }

  /** How much is remembered: facts, or records where these are more. */
  get size(): number {
    return this.countries.size + this.cities.size
  }
}

/** A fact about addresses, looked up at most once per visit, and only if something asks for it. */
class NumberedFact<Fact> {
  readonly #address: ReadAddress
  readonly #recordsNow: () => Records<Place>
  readonly #factOf: (place: Place | undefined) => Fact | undefined
  #records: Records<Place> | undefined
  #isCurrent = false
  /** By the number of the record. */
  readonly #numberOfRecord = new Map<number, number>()
  readonly #numberOfFact = new Map<Fact | undefined, number>()
  /** By number. */
  readonly #facts: (Fact | undefined)[] = []
  #visit = -1
  #number = 0

  constructor(
    address: ReadAddress,
    recordsNow: () => Records<Place>,
    factOf: (place: Place | undefined) => Fact | undefined,
  ) {
    this.#address = address
    this.#recordsNow = recordsNow
    this.#factOf = factOf
  }

  begin(): void {
    this.#visit = -1
    this.#isCurrent = false
  }

  of(visit: number): Fact | undefined {
    return this.#facts[this.numberOf(visit)]
  }

  numberOf(visit: number): number {
    if (visit !== this.#visit) {
      this.#visit = visit
      this.#address.read(visit)
      this.#number = this.#look()
    }
    return this.#number
  }

  #look(): number {
    const { publicFamily: family, words } = this.#address
    const records = this.#current()
    const record = family === 0 ? 0 : records.find(family, words)
    const known = this.#numberOfRecord.get(record)
    if (known !== undefined) return known
    const number = this.#add(this.#factOf(records.fact(record)))
    this.#numberOfRecord.set(record, number)
    return number
  }

  /** Once per batch, because finding out takes time. */
  #current(): Records<Place> {
    if (this.#isCurrent && this.#records !== undefined) return this.#records
    const now = this.#recordsNow()
    if (now !== this.#records) this.#numberOfRecord.clear()
    this.#isCurrent = true
    this.#records = now
    return now
  }

  #add(fact: Fact | undefined): number {
    const known = this.#numberOfFact.get(fact)
    if (known !== undefined) return known
    this.#numberOfFact.set(fact, this.#facts.length)
    return this.#facts.push(fact) - 1
  }

  get size(): number {
    return Math.max(this.#facts.length, this.#numberOfRecord.size)
  }
}

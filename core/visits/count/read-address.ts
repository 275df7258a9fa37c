import { clientKeyOf } from '../../lib/net/client-key.ts'
import { type IpFamily, readIp } from '../../lib/net/ip-address.ts'
import { isPublic } from '../../lib/net/public-ip.ts'
import { type InternedVisits, ipOf } from './interned-visits.ts'

/** The address of one visit of a batch at a time, read once for all who ask about it. */
export class ReadAddress {
  /** In the form of `readIp`. */
  readonly words = new Uint32Array(4)
  #batch: InternedVisits | undefined
  #visit = -1
  #text = ''
  #family: IpFamily = 0

  begin(batch: InternedVisits): void {
    this.#batch = batch
    this.#visit = -1
  }

  /** Moves on to the address of this visit. */
  read(visit: number): void {
    if (visit === this.#visit || this.#batch === undefined) return
    this.#visit = visit
    this.#text = ipOf(this.#batch, visit)
    this.#family = readIp(this.#text, this.words)
  }

  /** 0 if it is not public. */
  get publicFamily(): IpFamily {
    return isPublic(this.#family, this.words) ? this.#family : 0
  }

  get clientKey(): string {
    return clientKeyOf(this.#text, this.#family, this.words)
  }
}

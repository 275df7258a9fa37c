/**
 * Writes whole numbers one after the other, in as few bytes as they need. The buffer grows as needed.
 * This is a class so that V8 keeps the compiled code of its methods from one writer to the next.
 */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(4_096)
  #length = 0

  /** 0 to 2^53 - 1, seven bits a byte, lowest first: https://protobuf.dev/programming-guides/encoding/#varints */
  number(value: number): void {
    this.#makeRoom(8)
    let rest = value
    while (rest >= 128) {
      this.#buffer[this.#length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#buffer[this.#length++] = rest
  }

  get length(): number {
    return this.#length
  }

  /** Appends what another writer wrote. */
  append(other: ByteWriter): void {
    this.#makeRoom(other.length)
    this.#length += other.#buffer.copy(this.#buffer, this.#length, 0, other.length)
  }

  /** Begins again: what `bytes` returned gets overwritten. */
  clear(): void {
    this.#length = 0
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}

/** Reads what a ByteWriter wrote, in the same order; throws where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Buffer
  #place = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#place++]
      if (byte === undefined) throw new RangeError('the bytes end too early')
      if (byte < 128) return value + byte * factor
      value += (byte - 128) * factor
    }
  }

  /** How many bytes were read. */
  get place(): number {
    return this.#place
  }

  skipTo(place: number): void {
    if (place > this.#bytes.length) throw new RangeError('the bytes end too early')
    this.#place = place
  }

  atEnd(): boolean {
    return this.#place === this.#bytes.length
  }
}

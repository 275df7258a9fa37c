/** Writes whole numbers and texts one after the other, in as few bytes as they need. */
export interface ByteWriter {
  /** 0 to 2^53 - 1, seven bits a byte, lowest first: https://protobuf.dev/programming-guides/encoding/#varints */
  number(value: number): void
  /** UTF-8, after its length in bytes. */
  text(value: string): void
  bytes(): Buffer
}

/** Reads what a ByteWriter wrote, in the same order; throws where the bytes end too early. */
export interface ByteReader {
  number(): number
  text(): string
  atEnd(): boolean
}

export function createByteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(4_096)
  let length = 0

  function makeRoom(bytes: number): void {
    if (length + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  function number(value: number): void {
    makeRoom(8)
    let rest = value
    while (rest >= 128) {
      buffer[length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    buffer[length++] = rest
  }

  return {
    number,
    text(value) {
      const bytes = Buffer.byteLength(value)
      number(bytes)
      makeRoom(bytes)
      length += buffer.write(value, length)
    },
    bytes: () => buffer.subarray(0, length),
  }
}

export function createByteReader(buffer: Uint8Array): ByteReader {
  const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  let place = 0

  function number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[place++]
      if (byte === undefined) throw new RangeError('the bytes end too early')
      if (byte < 128) return value + byte * factor
      value += (byte - 128) * factor
    }
  }

  return {
    number,
    text() {
      const end = number() + place
      if (end > bytes.length) throw new RangeError('the bytes end too early')
      const text = bytes.toString('utf8', place, end)
      place = end
      return text
    },
    atEnd: () => place === bytes.length,
  }
}

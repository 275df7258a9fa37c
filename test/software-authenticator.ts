import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What can be other than it should. */
interface Flaws {
  /** Nobody was asked for a finger, a face or a PIN. */
  readonly isUnverified?: boolean
  readonly origin?: string
  readonly userHandle?: string
  /** The format in which it says who made the device. */
  readonly attestation?: string
}

/** The program that stands in for a device with passkeys: it makes one by options of a server, and signs by others. */
export function softwareAuthenticator(origin: string, idBytes = 16) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idBytes)
  let userHandle = ''

  /** https://www.w3.org/TR/webauthn-3/#authenticator-data */
  function dataFor(host: string, { isUnverified }: Flaws, made: Buffer = Buffer.alloc(0)): Buffer {
    const flags = 0x01 | (isUnverified ? 0 : 0x04) | (made.length > 0 ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter, made])
  }

  function clientData(type: string, challenge: string, flaws: Flaws): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: flaws.origin ?? origin }))
  }

  const shown = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
  }

  return {
    /** What `navigator.credentials.create` returns, as JSON. */
    make(options: string, flaws: Flaws = {}): string {
      const { challenge, rp, user } = JSON.parse(options)
      userHandle = user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // Key type EC2, ES256, P-256: RFC 9053.
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ])
      const length = Buffer.from([id.length >> 8, id.length])
      const made = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)])
      const attestation = new Map<string, unknown>([
        ['fmt', flaws.attestation ?? 'none'],
        ['attStmt', new Map(flaws.attestation ? [['x5c', [Uint8Array.of(1)]]] : [])],
        ['authData', new Uint8Array(dataFor(rp.id, flaws, made))],
      ])
      return JSON.stringify({
        ...shown,
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, flaws).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString(
            'base64url',
          ),
          transports: ['internal'],
        },
      })
    },
    /** What `navigator.credentials.get` returns, as JSON. */
    use(options: string, flaws: Flaws = {}): string {
      const { challenge, rpId } = JSON.parse(options)
      const said = clientData('webauthn.get', challenge, flaws)
      const data = dataFor(rpId, flaws)
      const signature = sign('sha256', Buffer.concat([data, sha256(said)]), privateKey)
      return JSON.stringify({
        ...shown,
        clientExtensionResults: {},
        response: {
          clientDataJSON: said.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: flaws.userHandle ?? userHandle,
        },
      })
    },
  }
}

function sha256(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest()
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

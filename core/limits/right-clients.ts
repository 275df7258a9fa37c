/** Which clients guessed which secret right. */
export interface RightClients {
  has(secret: string, client: string): boolean
  add(secret: string, client: string): void
}

/**
 * Remembers `max` clients of all secrets together. One more makes the secret that has the most forget the client that
 * was right longest ago, so that whoever is right at one secret from ever new addresses pushes out nobody of another.
 * Among equals it is the secret that was last guessed right longest ago.
 */
export function createRightClients(max: number): RightClients {
  const known = new Map<string, Set<string>>()
  let size = 0

  function forgetOne(): void {
    const [first] = known
    if (!first) return
    let [secret, most] = first
    for (const [other, clients] of known) {
      if (clients.size > most.size) [secret, most] = [other, clients]
    }
    for (const oldest of most) {
      most.delete(oldest)
      break
    }
    if (most.size === 0) known.delete(secret)
    size -= 1
  }

  return {
    has: (secret, client) => known.get(secret)?.has(client) === true,
    add(secret, client) {
      const clients = known.get(secret) ?? new Set()
      // Maps and sets keep the order of insertion, so what was right last moves to the end.
      if (clients.delete(client)) size -= 1
      clients.add(client)
      known.delete(secret)
      known.set(secret, clients)
      size += 1
      if (size > max) forgetOne()
    },
  }
}

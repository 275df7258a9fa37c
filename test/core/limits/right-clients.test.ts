import { describe, expect, test } from 'vitest'
import { createRightClients } from '../../../core/limits/right-clients.ts'

describe('the clients that were right', () => {
  test('of the secret that has the most are forgotten first, the oldest of them first', () => {
    const clients = createRightClients(4)
    clients.add('ada', 'home')
    for (const n of [1, 2, 3, 1, 4, 5]) clients.add('eve', `network ${n}`)
    expect(clients.has('ada', 'home')).toBe(true)
    const ofEve = [1, 2, 3, 4, 5].filter(n => clients.has('eve', `network ${n}`))
    expect(ofEve).toEqual([1, 4, 5])
    expect(clients.has('ada', 'network 5')).toBe(false)
  })

  test('of secrets that have one each are forgotten where nobody was right for longest', () => {
    const clients = createRightClients(2)
    for (const secret of ['ada', 'eve', 'ada', 'bob']) clients.add(secret, 'home')
    const known = ['ada', 'eve', 'bob'].filter(secret => clients.has(secret, 'home'))
    expect(known).toEqual(['ada', 'bob'])
  })
})

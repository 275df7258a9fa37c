/**
 * Uses the client as any program does, in whatever runs it: Node, Deno, Bun, a browser. Resolves to what it saw.
 *
 * @param {typeof import('../../client/linnet.ts')} client
 * @param {{ url: string, token: string }} options
 */
export async function tryClient({ Linnet, StaleError, ValidationError, ConnectionError }, options) {
  const linnet = new Linnet(options)
  const seen = []
  const link = await linnet.links.create({ original_url: 'https://example.com/' })
  seen.push((await linnet.links.get(link)) === link ? 'same' : 'other')
  await linnet.links.update(link, { title: 'One' })
  await new Linnet(options).links.update(link.id, { title: 'Two' })
  seen.push(await linnet.links.update(link, { title: 'Three' }).catch(nameOf))
  seen.push(await linnet.links.create({ original_url: 'x', short_code: ' ' }).catch(fieldsOf))
  const titled = [1, 2, 3].map(() => ({ original_url: 'https://example.com/', title: link.id }))
  await linnet.links.bulkCreate({ links: titled })
  let count = 0
  for await (const { title } of linnet.links.list({ search: link.id, per_page: 2 })) {
    if (title === link.id) count += 1
  }
  seen.push(count)
  seen.push((await (await linnet.links.qr.get(link, { format: 'svg' })).text()).slice(0, 4))
  seen.push(
    (await linnet.links.create({ original_url: 'https://example.com/' }, { dryRun: true })).id !==
      link.id,
  )
  seen.push(await linnet.links.delete(link.id).then(() => 'deleted'))
  const nowhere = new Linnet({ ...options, url: 'http://127.0.0.1:9', retries: 1 })
  seen.push(await nowhere.links.list().then(String, nameOf))
  const late = new Linnet({ ...options, timeoutMs: 0, retries: 0 })
  seen.push(await late.links.list().then(String, nameOf))
  const stopped = AbortSignal.abort(new Error('stopped'))
  seen.push(await linnet.profile.get({ signal: stopped }).catch(error => error.message))
  return seen

  function nameOf(error) {
    return error instanceof StaleError || error instanceof ConnectionError
      ? error.name
      : String(error)
  }

  function fieldsOf(error) {
    if (!(error instanceof ValidationError)) return String(error)
    return error.errors
      .map(({ field }) => field)
      .sort()
      .join()
  }
}

/** What it sees if all is well. */
export const expected = [
  'same',
  'StaleError',
  'original_url,short_code',
  3,
  '<svg',
  true,
  'deleted',
  'ConnectionError',
  'TimeoutError',
  'stopped',
]

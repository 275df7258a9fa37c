import { chromium } from 'playwright-core'
import { chromiumPath } from './chromium.mjs'
import { processorMs } from './measure.mjs'

/** Times measured in the page itself, from the request of its address to the frame that shows an element. */
const watchArrival = `
  globalThis.arrival = new Promise(resolve => {
    const awaited = { heading: 'main h1', row: 'main ul > li' }
    const times = {}
    new MutationObserver((_changes, observer) => {
      for (const [name, selector] of Object.entries(awaited)) {
        if (!document.querySelector(selector)) continue
        delete awaited[name]
        requestAnimationFrame(() => {
          times[name] = performance.now()
          if (times.heading && times.row) resolve(times)
        })
      }
      if (Object.keys(awaited).length === 0) observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })`

const scriptBytes = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { transferSize }) => sum + transferSize, 0)`

/**
 * Opens Chromium, signed in, to load pages of an instance that it has never seen. It has no time limit, so a
 * load may take as long as it needs.
 */
export async function openBrowser({ url, child, admin }) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox'],
    timeout: 0,
  })
  const devTools = await browser.newBrowserCDPSession()
  const storageState = await signIn(browser, url, admin)

  return {
    version: browser.version(),
    close: () => browser.close(),
    /** Loads a page with an empty cache, and then again with what the first load has cached. */
    async loadTwice(path) {
      const context = await browser.newContext({ storageState })
      context.setDefaultTimeout(0)
      const page = await context.newPage()
      await page.addInitScript(watchArrival)
      const cold = await measure(() => page.goto(url + path), page)
      const warm = await measure(() => page.reload(), page)
      await context.close()
      return { cold, warm }
    },
  }

  async function measure(load, page) {
    const [server, before] = [processorMs(child.pid), await processes()]
    await load()
    const times = await page.evaluate('arrival')
    return {
      ...times,
      kibibytes: (await page.evaluate(scriptBytes)) / 1_024,
      serverMs: processorMs(child.pid) - server,
      browserMs: used(before, await processes()),
    }
  }

  async function processes() {
    const { processInfo } = await devTools.send('SystemInfo.getProcessInfo')
    return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime * 1_000]))
  }
}

async function signIn(browser, url, admin) {
  const context = await browser.newContext()
  context.setDefaultTimeout(0)
  const answer = await context.request.post(`${url}/api/v1/session`, {
    data: admin,
    headers: { origin: url },
  })
  if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`)
  const storageState = await context.storageState()
  await context.close()
  return storageState
}

/** Processor time that processes have used in between, including processes that started meanwhile. */
function used(before, after) {
  return [...after].reduce((sum, [id, ms]) => sum + ms - (before.get(id) ?? 0), 0)
}

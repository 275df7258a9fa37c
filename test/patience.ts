/**
 * How long tests wait before they fail, in milliseconds: by far longer than anything takes on a machine that has much
 * else to do. These limits end what hangs and measure nothing, so no test has a shorter one of its own.
 */
export const patience = {
  testTimeout: 420_000,
  hookTimeout: 300_000,
  teardownTimeout: 300_000,
  expect: { poll: { timeout: 180_000 } },
}

/** For one step in a browser, as a click or a page that opens: shorter than the test, to say which step hangs. */
export const stepMs = 150_000

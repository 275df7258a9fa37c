/**
 * How long tests wait before they fail, in milliseconds: far longer than anything takes, even on a busy
 * machine. These limits end tests that hang and measure nothing, so no test has a shorter one of its own.
 */
export const patience = {
  testTimeout: 420_000,
  hookTimeout: 300_000,
  teardownTimeout: 300_000,
  expect: { poll: { timeout: 180_000 } },
}

/**
 * For one step in a browser, such as a click or opening a page: shorter than the test's own limit, to show
 * which step hangs.
 */
export const stepMs = 150_000

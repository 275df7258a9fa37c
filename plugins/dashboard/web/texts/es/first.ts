export * from './server.ts'
export * from './texts.ts'

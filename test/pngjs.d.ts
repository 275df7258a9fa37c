/** As much of it as tests use; the package brings no types. */
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(png: Uint8Array): {
        readonly width: number
        readonly height: number
        /** Red, green, blue and opacity of each pixel. */
        readonly data: Buffer
      }
    }
  }
}

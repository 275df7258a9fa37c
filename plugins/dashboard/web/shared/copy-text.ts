/**
 * Put a text on the clipboard. Over plain http, as many a home server is reached, browsers have no
 * `navigator.clipboard`; what is selected can be copied all the same.
 */
export async function copyText(text: string): Promise<void> {
  // Typed as always there.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard) return clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
}

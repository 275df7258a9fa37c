/**
 * Copy a text to the clipboard; false if the browser refuses. Over plain http, as many home servers are
 * reached, there is no `navigator.clipboard`, but a selection can still be copied.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types claim that it is always there.
  const clipboard: Clipboard | undefined = navigator.clipboard
  return clipboard ? clipboard.writeText(text).then(yes, no) : copySelected(text)
}

const yes = () => true
const no = () => false

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}

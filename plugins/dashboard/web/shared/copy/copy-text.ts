/**
 * Put a text on the clipboard, and say whether it is there: browsers may refuse it. Over plain http, as many a
 * home server is reached, they have no `navigator.clipboard`; what is selected can be copied all the same.
 */
export async function copyText(text: string): Promise<boolean> {
  // Typed as always there.
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

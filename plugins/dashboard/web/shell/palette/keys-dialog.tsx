import { Kbd } from '@mantine/core'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { paletteTexts } from '../../texts/palette.ts'
import classes from './keys-dialog.module.css'
import { modKey } from './mod-key.ts'

const { keys } = paletteTexts

const groups = [
  {
    heading: keys.everywhere,
    rows: [
      { press: [modKey, 'K'], does: keys.find },
      { press: ['C'], does: keys.make },
      { press: ['?'], does: keys.help },
    ],
  },
  { heading: keys.lists, rows: [{ press: ['/'], does: keys.search }] },
  { heading: keys.rules, rows: [{ press: ['Alt', '↑ ↓'], does: keys.moveRule }] },
  { heading: keys.chart, rows: [{ press: ['← →'], does: keys.alongChart }] },
] as const

/** The list of keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog opened onClose={onClose} title={paletteTexts.keysTitle}>
      {groups.map(({ heading, rows }) => (
        <section key={heading} className={classes.group} aria-label={heading}>
          <h3>{heading}</h3>
          <dl>
            {rows.map(({ press, does }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {press.map(key => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={classes.single}>{paletteTexts.single}</p>
    </Dialog>
  )
}

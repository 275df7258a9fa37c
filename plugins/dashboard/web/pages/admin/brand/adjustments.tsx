import type { BrandPreview } from '../../../api/admin/brand.ts'
import { Dot } from '../../../shared/icons/dot.tsx'
import classes from './adjustments.module.css'

/** Where the API had to adjust the brand's colour. */
export function Adjustments({ adjustments }: Pick<BrandPreview, 'adjustments'>) {
  return (
    <div role="status">
      {adjustments.length > 0 && (
        <ul className={classes.adjustments}>
          {adjustments.map(({ where, color, message }) => (
            <li key={where}>
              <Dot color={color} />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Dot } from '../../shared/icons/dot.tsx'
import classes from '../../shared/lists/things.module.css'
import { formatNumber } from '../../shared/text/format.ts'
import { texts } from '../../texts.ts'
import { TagMenu, type TagProps } from './tag-menu.tsx'

/** A tag with its colour, and the link to its links. */
export function TagRow({ tag, onEdit }: TagProps) {
  const { id, name, color, linksCount } = tag
  return (
    <li>
      <Dot color={color} />
      <div className={classes.what}>
        <div className={classes.name}>
          <Anchor renderRoot={props => <Link {...props} to="/links" search={{ tag: id }} />}>
            {name}
          </Anchor>
        </div>
      </div>
      <span className={classes.numbers}>
        {texts.tags.links(linksCount, formatNumber(linksCount))}
      </span>
      <TagMenu tag={tag} onEdit={onEdit} />
    </li>
  )
}

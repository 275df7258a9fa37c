/** The texts about creating links without opening the dashboard first. */
export const toolsTexts = {
  heading: 'Shorten from anywhere',
  lead: 'Create a link to the page you are viewing. You see the form before the link is created.',
  bookmark: 'Shorten with Linnet',
  drag: 'Drag this to your bookmarks bar. Click it on any page to open the form with that page filled in.',
  notHere:
    'Drag it to your bookmarks bar. Then click it there while you view the page you want a link to.',
  byHand: 'Or create a bookmark with this URL:',
  copy: 'Copy bookmarklet',
  phone:
    'On a phone, add this page to your home screen. If your browser supports it, you can then share pages to Linnet.',
} as const
